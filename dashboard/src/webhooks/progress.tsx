import { Progress as Bar } from "@mantine/core";
import { useRead } from "../platform/call/queries.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Card } from "../platform/look/parts.tsx";
import { createStore, useStore } from "../platform/store.ts";
import { texts } from "./texts.ts";
import type { Backlog, Webhook } from "./webhook.ts";
import css from "./webhooks.module.css";

/** A replay that was begun here: of so many deliveries of the log, or of all events since a time. */
type Replaying = { id: string; count: number } | { id: string; since: string; begun: string };
export const replays = createStore<Replaying | undefined>(undefined);

const LOOK_MS = 1_500;

/** How many percent are done, as far as that can be told: of a replay that was begun elsewhere the size is not known. */
function percentOf(replay: Replaying | undefined, { pending, reading_at }: Backlog): number | undefined {
  if (!replay) return undefined;
  if ("count" in replay) return (100 * Math.max(0, replay.count - pending)) / replay.count;
  const [from, to] = [Date.parse(replay.since), Date.parse(replay.begun)];
  // What is read waits in the log: that is the smaller part of the work.
  if (reading_at === null) return pending === 0 ? 100 : 90;
  return Math.max(0, Math.min(90, (90 * (Date.parse(reading_at) - from)) / (to - from)));
}

/** What an endpoint has still to get. It can be left and found again. */
export function Progress({ webhook }: { webhook: Webhook }) {
  const t = useTexts(texts);
  const format = useFormat();
  const begun = useStore(replays);
  const read = useRead<Backlog>(`/webhooks/${webhook.id}/backlog`, {}, { everyMs: LOOK_MS });
  if (!read.data) return null;
  const { pending, reading_at } = read.data;
  // An event that just happened waits for a moment, which is no news.
  if (pending === 0 && reading_at === null) return null;
  const replay = begun?.id === webhook.id ? begun : undefined;
  const percent = percentOf(replay, read.data);
  return (
    <div className={css.progress}>
      <Card>
        {percent !== undefined && <Bar value={percent} aria-label={t("progress")} mb="xs" />}
        <span className="quiet numbers" role="status">
          {replay && "count" in replay
            ? t("left", { done: Math.max(0, replay.count - pending), all: replay.count })
            : t("waiting", { count: pending })}{" "}
          {reading_at && t("reading", { time: format.instant(reading_at) })}
        </span>
      </Card>
    </div>
  );
}
