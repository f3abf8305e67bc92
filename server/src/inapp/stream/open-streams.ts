import { LOOK_AGAIN } from "../../people/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { Buckets } from "../../platform/signals/index.ts";
import { liveKeys, liveSigners, WORKSPACES_CHANGED } from "../../workspaces/index.ts";
import { QUEUED } from "../queue/queue.ts";
import { Streams } from "./stream.ts";

/** A revoked or expired key and a revoked signing secret must end their streams within 5 s on every node, also where the signal is lost. */
const LOOK_AGAIN_MS = 3_000;

/** The streams of this process, connected to what it hears: deliveries that were queued, keys and signing secrets that were revoked. */
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
      const right = new Set(live.flatMap((one) => [...one]));
      streams.endThoseOf(new Set([...keys, ...signers].filter((one) => !right.has(one))));
    } catch (error) {
      log.warn({ err: (error as Error).message }, "the keys of the open streams could not be checked");
    }
  }

  const timer = setInterval(() => void checkRights(), LOOK_AGAIN_MS).unref();
  const ends = [
    signals.subscribe(QUEUED, (items) => streams.tell(items), people),
    signals.subscribe(LOOK_AGAIN, (items) => streams.tell(items)),
    signals.subscribe(WORKSPACES_CHANGED, () => void checkRights()),
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
