import { LIVE_CHANGED } from "../../activity/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { Buckets } from "../../platform/signals/index.ts";
import { liveKeys, liveSigners, WORKSPACES_CHANGED } from "../../workspaces/index.ts";
import { QUEUED } from "../queue/queue.ts";
import { Streams } from "./stream.ts";

/**
 * A revoked or expired key and a revoked signing secret must end their streams within 5 s on every node, also where the signal
 * is lost.
 */
const CHECK_RIGHTS_MS = 3_000;

/** Opens the streams of this process and connects them to signals: queued deliveries, revoked keys and signing secrets. */
export function openStreams({ clock, metrics, places, signals, db, log }: Ground): Pick<Streams, "open" | "stop"> {
  const people = new Buckets();
  const streams = new Streams({ clock, metrics, places, people });

  async function checkRights(): Promise<void> {
    const { keys, signers } = streams.rights();
    if (keys.length === 0) return;
    try {
      const live = await Promise.all([
        liveKeys(db, keys, clock.now()),
        signers.length > 0 ? liveSigners(db, signers) : [],
      ]);
      const valid = new Set(live.flatMap((ids) => [...ids]));
      streams.endStreamsOf(new Set([...keys, ...signers].filter((id) => !valid.has(id))));
    } catch (error) {
      log.warn({ err: (error as Error).message }, "the keys of the open streams could not be checked");
    }
  }

  const timer = setInterval(() => void checkRights(), CHECK_RIGHTS_MS).unref();
  const unsubscribes = [
    signals.subscribe(QUEUED, (items) => streams.notify(items), people),
    signals.subscribe(LIVE_CHANGED, (items) => streams.notify(items)),
    signals.subscribe(WORKSPACES_CHANGED, () => void checkRights()),
  ];
  return {
    open: (...args) => streams.open(...args),
    stop() {
      clearInterval(timer);
      for (const unsubscribe of unsubscribes) unsubscribe();
      return streams.stop();
    },
  };
}
