import { useRead } from "../../platform/call/queries.ts";
import { curlOf } from "../../platform/code/call-text.ts";
import { Samples } from "../../platform/code/samples.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { Section } from "../../platform/look/parts.tsx";
import { Answer, Loading } from "../../platform/states/states.tsx";
import type { Transactional } from "../form/values.ts";
import { texts } from "../texts.ts";
import css from "../transactionals.module.css";
import { triggerSamples } from "./code.ts";
import { type DataSchema, fieldsOf, sampleOf } from "./sample-data.ts";

/** What a call must carry, and the call itself to copy. */
export function Contract({ of }: { of: Transactional }) {
  const read = useRead<DataSchema>(`/transactionals/${of.id}/contract`);
  return (
    <Answer of={read} loading={<Loading rows={6} />}>
      {(contract) => <Called of={of} contract={contract} />}
    </Answer>
  );
}

interface CalledProps {
  of: Pick<Transactional, "id" | "trigger_name" | "channel">;
  contract: DataSchema;
}

/** The fields of a contract, and the call with samples of them. */
export function Called({ of, contract }: CalledProps) {
  const t = useTexts(texts);
  return (
    <>
      <Section title={t("fields")}>
        <Fields contract={contract} />
      </Section>
      <Section title={t("code")}>
        <p className="quiet">{t("codeLead")}</p>
        <Samples of={triggerSamples(of, sampleOf(contract), curlOf)} />
      </Section>
    </>
  );
}

function Fields({ contract }: { contract: DataSchema }) {
  const t = useTexts(texts);
  const fields = fieldsOf(contract);
  if (fields.length === 0) return <p className="quiet">{t("noFields")}</p>;
  const typeOf = (types: readonly string[]) =>
    types.length === 0 || types.length > 2
      ? t("type_any")
      : types.map((type) => t(`type_${type}` as keyof typeof texts)).join(", ");
  return (
    <table className={css.fields}>
      <thead>
        <tr>
          <th scope="col">{t("field")}</th>
          <th scope="col">{t("type")}</th>
          <th scope="col">{t("needed")}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ name, types, required }) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td>{typeOf(types)}</td>
            <td>{t(required ? "required" : "optional")}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
