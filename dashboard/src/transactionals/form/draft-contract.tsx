import { useTexts } from "../../platform/language/texts.ts";
import { Fault } from "../../platform/states/fault.tsx";
import { Note } from "../../platform/look/parts.tsx";
import { Loading } from "../../platform/states/states.tsx";
import { Called } from "../page/contract.tsx";
import type { DataSchema } from "../page/sample-data.ts";
import { useDraftPreview } from "../page/use-draft-preview.ts";
import { texts } from "../texts.ts";
import { contentOf, type TransactionalValues } from "./values.ts";

/** How one will be called that is not made yet: the fields of what is written, and the call with its trigger name. */
export function DraftContract({ values }: { values: TransactionalValues }) {
  const t = useTexts(texts);
  const { channel, trigger_name: named } = values;
  const read = useDraftPreview({ channel, content: contentOf(values), person: "", data: undefined });
  if (!read.whole) return <p className="quiet">{t(`unwritten_${channel}`)}</p>;
  if (read.error)
    return (
      <Note tone="warn">
        <Fault of={read.error} />
      </Note>
    );
  if (!read.data) return <Loading rows={6} />;
  return (
    <>
      {named === "" && <Note tone="plain">{t("idLater")}</Note>}
      <Called
        of={{ id: "ID", trigger_name: named || null, channel }}
        contract={(read.data.contract ?? {}) as DataSchema}
      />
    </>
  );
}
