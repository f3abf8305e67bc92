import { Button, Group } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queries, useRead } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Badge, Facts, Section, Source } from "../platform/look/parts.tsx";
import { SideDrawer, SideDrawerHead } from "../platform/look/side-drawer.tsx";
import { Copy } from "../platform/states/copy.tsx";
import { Answer, Loading } from "../platform/states/states.tsx";
import { tell, tellFault } from "../platform/states/toasts.tsx";
import { texts } from "./texts.ts";
import { entryTone, type LogEntry, type Webhook } from "./webhook.ts";
import css from "./webhooks.module.css";

interface DrawerProps {
  webhook: Webhook;
  id: string | undefined;
  /** Undefined where it is not among those that were read: it is further back in the log, or the filters leave it out. */
  listed: LogEntry | undefined;
  onClose: () => void;
}

/** One event that was sent: the request, and what came back at each attempt. */
export function LogDrawer({ webhook, id, listed, onClose }: DrawerProps) {
  const t = useTexts(texts);
  const path = `/webhooks/${webhook.id}/deliveries/${encodeURIComponent(id ?? "")}`;
  const read = useRead<LogEntry>(path, {}, { enabled: id !== undefined && listed === undefined });
  const entry = listed ?? read.data;
  return (
    <SideDrawer opened={id !== undefined} label={t("entry")} onClose={onClose}>
      <SideDrawerHead title={entry?.type ?? t("entry")} onClose={onClose} />
      {entry ? (
        <Detail webhook={webhook} entry={entry} />
      ) : (
        id && (
          <Answer of={read} loading={<Loading rows={6} />}>
            {() => null}
          </Answer>
        )
      )}
    </SideDrawer>
  );
}

function Detail({ webhook, entry }: { webhook: Webhook; entry: LogEntry }) {
  const t = useTexts(texts);
  const format = useFormat();
  const open = useWorkspace();
  const { id, payload, status, attempts, next_attempt_at, delivered_at } = entry;
  const log = `/webhooks/${webhook.id}/deliveries`;
  const replay = useMutation({
    mutationFn: () => open.call("POST", `${log}/${id}/replay`),
    onSuccess: () => {
      tell(t("replayedOne"));
      void queries.invalidateQueries({ queryKey: [open.id, log] });
    },
    onError: tellFault,
  });
  const delivery = payload.data.delivery_id;
  return (
    <>
      <Group gap="xs" mb="md">
        <Button
          variant="default"
          disabled={open.role !== "owner" || !webhook.enabled}
          loading={replay.isPending}
          onClick={() => replay.mutate()}
        >
          {t("replayOne")}
        </Button>
        {delivery && (
          <Link to="/w/$workspace/deliveries" params={{ workspace: open.id }} search={{ open: delivery }}>
            {t("openDelivery")}
          </Link>
        )}
      </Group>
      <Facts
        of={[
          [
            t("status"),
            <Badge key="state" tone={entryTone[status]}>
              {t(status)}
            </Badge>,
          ],
          [t("at"), format.instant(payload.timestamp)],
          [t("deliveredAt"), delivered_at && format.instant(delivered_at)],
          [t("nextAt"), next_attempt_at && format.instant(next_attempt_at)],
          [
            t("id"),
            <>
              <code className="cut">{id}</code>
              <Copy value={id} what={t("id")} />
            </>,
          ],
        ]}
      />
      <Section title={t("answers")}>
        {attempts.length === 0 && <p className="quiet">{t("noAttempt")}</p>}
        <ol className={css.attempts}>
          {attempts.toReversed().map((attempt) => (
            <li key={attempt.at}>
              <Attempt attempt={attempt} />
            </li>
          ))}
        </ol>
      </Section>
      <Section title={t("request")}>
        <Source text={requestOf(webhook, entry)} />
      </Section>
    </>
  );
}

/** The request as the endpoint gets it, but for the time and the signature, which each attempt makes anew. */
function requestOf({ url }: Webhook, { id, payload }: LogEntry): string {
  const head = [`POST ${url}`, "content-type: application/json; charset=utf-8", `webhook-id: ${id}`];
  return [...head, "webhook-timestamp: …", "webhook-signature: v1,…", "", JSON.stringify(payload, null, 2)].join("\n");
}

function Attempt({ attempt }: { attempt: LogEntry["attempts"][number] }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { at, status, answer, error, duration_ms: ms } = attempt;
  const good = status !== null && status >= 200 && status < 300;
  return (
    <>
      <div className={css.attemptHead}>
        <Badge tone={good ? "good" : "bad"}>{status === null ? t("noAnswer") : `HTTP ${status}`}</Badge>
        <span className="quiet numbers">
          {format.instant(at)} · {format.number(ms)} ms
        </span>
      </div>
      {error && (
        <p className={css.error}>
          <q>{error}</q>
        </p>
      )}
      {answer && <Source text={answer} />}
    </>
  );
}
