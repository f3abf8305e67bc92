import { getRouteApi } from "@tanstack/react-router";
import { useRead } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Badge, Facts, Note } from "../platform/look/parts.tsx";
import { Copy } from "../platform/states/copy.tsx";
import { Answer, Loading } from "../platform/states/states.tsx";
import { Page } from "../platform/trail.tsx";
import { Actions } from "./actions.tsx";
import { Log } from "./log.tsx";
import { Progress } from "./progress.tsx";
import { texts } from "./texts.ts";
import { stateOf, stateTone, type Webhook as Shape } from "./webhook.ts";
import css from "./webhooks.module.css";

const route = getRouteApi("/w/$workspace/webhooks/$webhook");
const LOOK_MS = 5_000;

/** One endpoint: how it is doing, and the log of its calls. */
export function Webhook() {
  const t = useTexts(texts);
  const { webhook: id } = route.useParams();
  const { id: workspace } = useWorkspace();
  const read = useRead<Shape>(`/webhooks/${encodeURIComponent(id)}`, {}, { everyMs: LOOK_MS });
  const above = [{ text: t("webhooks"), link: { to: "/w/$workspace/webhooks", params: { workspace } } as const }];
  if (!read.data)
    return (
      <Page title={t("webhook")} above={above}>
        <Answer of={read} loading={<Loading rows={8} />}>
          {() => null}
        </Answer>
      </Page>
    );
  const webhook = read.data;
  return (
    <Page title={new URL(webhook.url).host} above={above} actions={<Actions webhook={webhook} />}>
      <State webhook={webhook} />
      <Progress webhook={webhook} />
      <Log webhook={webhook} />
    </Page>
  );
}

function State({ webhook }: { webhook: Shape }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { id, url, description, types, failing_since, resting_until, disabled_at, disabled_reason } = webhook;
  const state = stateOf(webhook, Date.now());
  const since = disabled_at ? format.ago(disabled_at) : "";
  const why =
    state === "failing" && failing_since
      ? t("failingSince", { time: format.instant(failing_since) })
      : state === "resting" && resting_until
        ? t("restingUntil", { time: format.time(resting_until) })
        : state === "paused"
          ? t("pausedSince", { time: since })
          : state === "disabled" && t(disabled_reason === "gone" ? "goneSince" : "disabledSince", { time: since });
  return (
    <>
      {why && (
        <div className={css.why}>
          <Note tone={stateTone[state] === "bad" ? "bad" : "warn"}>
            {why} {!webhook.enabled && t("enableHint")}
          </Note>
        </div>
      )}
      <Facts
        of={[
          [
            t("status"),
            <Badge key="state" tone={stateTone[state]}>
              {t(state)}
            </Badge>,
          ],
          [
            t("url"),
            <>
              <code>{url}</code>
              <Copy value={url} what={t("url")} />
            </>,
          ],
          [t("description"), description],
          [t("events"), types.length === 0 ? t("everyEvent") : types.join(", ")],
          [
            t("id"),
            <>
              <code className="cut">{id}</code>
              <Copy value={id} what={t("id")} />
            </>,
          ],
        ]}
      />
    </>
  );
}
