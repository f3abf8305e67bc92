import type { Ground } from "../../platform/ground.ts";
import { derivedId } from "../../platform/ids.ts";
import { feedback } from "../feedback/feedback.ts";
import type { TrackedMessage } from "./links.ts";
import { machinesOf, type Visit, WINDOW_MS } from "./machine.ts";
import { handedOverAt } from "./store.ts";

/** A visit to a message's pixel (with an empty target) or link. */
export interface MessageVisit extends TrackedMessage, Visit {
  target: string;
}

/** The most visits that wait in memory; further ones are not recorded. */
const MOST_WAITING = 10_000;
const MINUTE_MS = 60_000;

export interface VisitRecorder {
  /** Never throws, and returns at once, so that tracking makes no reader wait. */
  add(visit: MessageVisit): void;
  /** Records the waiting visits. */
  flush(): Promise<void>;
}

/**
 * Records opens and clicks. They wait WINDOW_MS for others of the same message, because only together they show a scanner that
 * follows every link. A killed process loses those of this time, which is acceptable, because opens and clicks are only statistics.
 */
export function visitRecorder(ground: Ground): VisitRecorder {
  let waiting = new Map<string, MessageVisit[]>();
  let size = 0;
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (size === 0) return;
    const groups = [...waiting.values()];
    [waiting, size] = [new Map(), 0];
    try {
      await recordVisits(ground, groups);
    } catch (error) {
      ground.log.warn({ err: String(error) }, "opens and clicks could not be recorded");
    }
  }

  return {
    add(visit) {
      if (size >= MOST_WAITING) return;
      size++;
      const group = waiting.get(visit.deliveryId);
      if (group) group.push(visit);
      else waiting.set(visit.deliveryId, [visit]);
      timer ??= setTimeout(() => void flush(), WINDOW_MS);
    },
    flush,
  };
}

/** Records the visits of a window in one transaction. A pixel or link counts once a minute for people and once for machines. */
async function recordVisits(ground: Ground, groups: MessageVisit[][]): Promise<void> {
  const first = groups.flatMap((group) => group.slice(0, 1));
  const sent = await handedOverAt(ground.db, first);
  const items = groups.flatMap((group) => {
    const at = sent.get(group[0]?.deliveryId ?? "");
    if (at === undefined) return [];
    return machinesOf(group, at).map(({ visit, machine }) => ({
      workspaceId: visit.workspaceId,
      deliveryId: visit.deliveryId,
      personKey: visit.personKey,
      kind: visit.target === "" ? ("opened" as const) : ("clicked" as const),
      at: visit.at,
      machine: machine !== undefined,
      eventId: derivedId(
        visit.target,
        machine ? "machine" : "person",
        String(Math.floor(visit.at.getTime() / MINUTE_MS)),
      ),
      data: {
        ...(visit.target !== "" && { url: visit.target }),
        ...(machine && { why: machine }),
        user_agent: visit.userAgent.slice(0, 200).toWellFormed(),
      },
    }));
  });
  // An id that is twice in one statement would be inserted once anyhow, but fewer rows take less time.
  const unique = new Map(items.map((item) => [`${item.deliveryId} ${item.kind} ${item.eventId}`, item]));
  await ground.db.transaction((tx) => feedback(tx, ground, [...unique.values()]));
}
