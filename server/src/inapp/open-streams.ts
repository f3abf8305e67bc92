import type { Ground } from "../platform/ground.ts";
import { LOOK_AGAIN } from "../people/index.ts";
import { Buckets } from "../platform/signals/index.ts";
import { liveKeys, WORKSPACES_CHANGED } from "../workspaces/index.ts";
import { QUEUED } from "./queue.ts";
import { Streams } from "./stream.ts";

/** A revoked or expired key must end its streams within 5 s on every node, also where the signal is lost. */
const LOOK_AGAIN_MS = 3_000;

/** The streams of this process, connected to what it hears: deliveries that were queued, keys that were revoked. */
export function openStreams({ clock, metrics, signals, db, log }: Ground): Pick<Streams, "open" | "stop"> {
  const people = new Buckets();
  const streams = new Streams({ clock, metrics, people });

  async function checkKeys(): Promise<void> {
    const keys = streams.keys();
    if (keys.length === 0) return;
    try {
      streams.keepOnly(await liveKeys(db, keys, clock.now()), keys);
    } catch (error) {
      log.warn({ err: (error as Error).message }, "the keys of the open streams could not be checked");
    }
  }

  const timer = setInterval(() => void checkKeys(), LOOK_AGAIN_MS).unref();
  const ends = [
    signals.subscribe(QUEUED, (items) => streams.tell(items), people),
    signals.subscribe(LOOK_AGAIN, (items) => streams.tell(items)),
    signals.subscribe(WORKSPACES_CHANGED, () => void checkKeys()),
  ];
  return {
    open: (...seat) => streams.open(...seat),
    stop() {
      clearInterval(timer);
      for (const end of ends) end();
      return streams.stop();
    },
  };
}
