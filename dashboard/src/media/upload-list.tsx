import { Button, Progress } from "@mantine/core";
import { Refusal, Unreached } from "../platform/call/refusal.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Badge, Item, Lines, List } from "../platform/look/parts.tsx";
import css from "./media.module.css";
import { texts } from "./texts.ts";
import { type Sending, TooLarge, type Uploads } from "./uploads.ts";

/** What is being uploaded, and what became of it. */
export function UploadList({ uploads }: { uploads: Uploads }) {
  const t = useTexts(texts);
  if (uploads.list.length === 0) return null;
  return (
    <section className={css.uploads} aria-label={t("uploads")}>
      <List>
        {uploads.list.map((one) => (
          <Item key={one.id}>
            <Upload sending={one} uploads={uploads} />
          </Item>
        ))}
      </List>
      {!uploads.busy && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={uploads.clear}>
          {t("clearList")}
        </Button>
      )}
    </section>
  );
}

function Upload({ sending, uploads }: { sending: Sending; uploads: Uploads }) {
  const t = useTexts(texts);
  const { id, file, state, part, error } = sending;
  const { name } = file;
  return (
    <>
      <Lines>
        <span className="cut">{name}</span>
        {state === "sending" && part < 1 && (
          <Progress value={part * 100} size="sm" aria-label={t("sending", { name })} />
        )}
        {state === "sending" && part === 1 && <span className="quiet">{t("reading")}</span>}
        {state === "waiting" && <span className="quiet">{t("waiting")}</span>}
        {error && (
          <span className={css.fault} role="alert">
            {wordsOf(error, t)}
          </span>
        )}
      </Lines>
      {(state === "done" || state === "known") && <Badge tone={state === "done" ? "good" : "plain"}>{t(state)}</Badge>}
      {(state === "sending" || state === "waiting") && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          onClick={() => uploads.cancel(id)}
          aria-label={t("cancelOf", { name })}
        >
          {t("cancel")}
        </Button>
      )}
      {error && mayPass(error) && (
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => uploads.retry(id)}
          aria-label={t("retryOf", { name })}
        >
          {t("retry")}
        </Button>
      )}
    </>
  );
}

/** Whether the same file may be taken another time. */
const mayPass = (error: Error): boolean =>
  error instanceof Refusal ? [408, 429].includes(error.status) || error.status >= 500 : !(error instanceof TooLarge);

const wordsOf = (error: Error, t: ReturnType<typeof useTexts<typeof texts>>): string => {
  if (error instanceof TooLarge) return t("tooLarge");
  return error instanceof Unreached ? t("unreached") : error.message;
};
