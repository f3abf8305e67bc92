import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Disclosure } from "../../platform/look/disclosure.tsx";
import { runTexts } from "./run-texts.ts";
import css from "./runs.module.css";

type Detail = Record<string, unknown>;
/** A message of a step that escalates. */
interface StepMessage {
  channel: string;
  status: string;
  delivery_id?: string;
  queued_at?: string;
  seen_at?: string;
  reason?: string;
}
const textOf = (value: unknown): string | undefined => {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
};

/** Shows the details of a run at a step: a call with its answer, the messages of an escalation, or the number of gathered runs. */
export function PassageDetail({ of }: { of: Detail }) {
  const t = useTexts(runTexts);
  const { messages, count, held_out: heldOut, held_by: heldBy, message, url } = of;
  return (
    <div className={css.detail}>
      {typeof url === "string" && <Call of={of} />}
      {Array.isArray(messages) && <Messages of={messages as StepMessage[]} />}
      {typeof count === "number" && <span>{t("gathered", { count })}</span>}
      {heldOut === true && <span>{t("heldOut")}</span>}
      {(heldBy === "limit" || heldBy === "window") && <span>{t(`held_${heldBy}`)}</span>}
      {typeof message === "string" && <span>{message}</span>}
    </div>
  );
}

function Call({ of: { url, attempts, status, error, request, response } }: { of: Detail }) {
  const t = useTexts(runTexts);
  const parts = [
    ["request", textOf(request)],
    ["response", textOf(response)],
  ] as const;
  return (
    <>
      <span className="mono">{String(url)}</span>
      <span>
        {textOf(error) ?? t("answered", { status: textOf(status) ?? "–" })}
        {typeof attempts === "number" && attempts > 1 && ` · ${t("attempts", { count: attempts })}`}
      </span>
      {parts.map(
        ([name, text]) =>
          text && (
            <Disclosure key={name} title={t(name)}>
              <pre className={css.body}>{text}</pre>
            </Disclosure>
          ),
      )}
    </>
  );
}

function Messages({ of }: { of: StepMessage[] }) {
  const t = useTexts(runTexts);
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  return of.map(({ channel, status, delivery_id: delivery, queued_at: queued, seen_at: seen, reason }, i) => {
    const said = `${t(channel as "email")}: ${t(`message_${status}` as "message_sent")}`;
    const at = seen ?? queued;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the messages of a step keep their places
      <span key={i}>
        {delivery ? (
          <Link to="/w/$workspace/deliveries" params={{ workspace }} search={{ open: delivery }}>
            {said}
          </Link>
        ) : (
          said
        )}
        {at && ` ${format.ago(at)}`}
        {reason && ` · ${reason.replaceAll("_", " ")}`}
      </span>
    );
  });
}
