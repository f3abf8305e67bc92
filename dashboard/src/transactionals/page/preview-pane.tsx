import { Button, JsonInput } from "@mantine/core";
import { useEffect, useState } from "react";
import type { Content } from "../../content/channels/content.ts";
import { usePreviewContext } from "../../content/preview/context.ts";
import { ContextBar } from "../../content/preview/context-bar.tsx";
import { ContentPreview } from "../../content/preview/content-preview.tsx";
import { Busy } from "../../platform/form/parts.tsx";
import { Fault } from "../../platform/states/fault.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { Note, Section } from "../../platform/look/parts.tsx";
import { Loading } from "../../platform/states/states.tsx";
import type { TransactionalChannel } from "../search.ts";
import { texts } from "../texts.ts";
import css from "../transactionals.module.css";
import { completed, type DataSchema, dataOf, sampleOf } from "./sample-data.ts";
import { useDraftPreview } from "./use-draft-preview.ts";

interface PreviewPaneProps {
  channel: TransactionalChannel;
  /** As it is written now, saved or not. */
  content: Content;
}

/** What is written, as a person gets it with data of a call. */
export function PreviewPane({ channel, content }: PreviewPaneProps) {
  const t = useTexts(texts);
  const [context, setContext] = usePreviewContext();
  const [typed, setTyped] = useState<string>();
  /** What the last preview read of a call: until something is typed, samples of it. */
  const [reads, setReads] = useState<DataSchema>({});
  const shown = typed ?? JSON.stringify(sampleOf(reads), null, 2);
  const data = dataOf(shown);
  const read = useDraftPreview({ channel, content, person: context.person, data });
  const contract = read.data?.contract as DataSchema | undefined;
  const missing = typed === undefined ? [] : (read.data?.missing ?? []);
  useEffect(() => {
    if (contract) setReads(contract);
  }, [contract]);
  const fill = () => setTyped(JSON.stringify(completed(data ?? {}, contract ?? {}), null, 2));
  return (
    <Section title={t("preview")}>
      <ContextBar value={context} onChange={setContext} show={["person"]} />
      {Object.keys(contract?.properties ?? {}).length > 0 && (
        <JsonInput
          label={t("data")}
          description={t("dataHint")}
          error={data === undefined && t("noJson")}
          autosize
          maxRows={8}
          value={shown}
          onChange={setTyped}
          classNames={{ input: css.json ?? "" }}
        />
      )}
      {missing.length > 0 && (
        <p className={css.missing}>
          {t("missing", { fields: missing.join(", ") })}{" "}
          <Button size="compact-xs" variant="default" onClick={fill} disabled={data === undefined}>
            {t("fill")}
          </Button>
        </p>
      )}
      <div className={css.shown} aria-live="polite">
        {!read.whole ? (
          <p className="quiet">{t(`unwritten_${channel}`)}</p>
        ) : (
          <>
            <Busy of={read} />
            {read.error && (
              <Note tone="warn">
                <Fault of={read.error} />
              </Note>
            )}
            {!read.data && !read.error && <Loading rows={5} />}
            {read.data && <ContentPreview channel={channel} content={read.data.content} {...context} />}
          </>
        )}
      </div>
    </Section>
  );
}
