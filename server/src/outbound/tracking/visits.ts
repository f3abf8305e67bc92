import type { Ground } from "../../platform/ground.ts";
import { derivedId } from "../../platform/ids.ts";
import { feedback } from "../feedback/feedback.ts";
import type { TrackedMessage } from "./links.ts";
import { machinesOf, type Visit, WINDOW_MS } from "./machine.ts";
import { handedOverAt } from "./store.ts";

/** A visit of a pixel (without target) or of a link. */
export interface Visited extends TrackedMessage, Visit {
  target: string;
}

/** Visits waiting in memory; what comes beyond is not recorded. */
const MOST_WAITING = 10_000;
const MINUTE_MS = 60_000;

export interface Visits {
  /** Never throws, and answers at once: to be tracked is no reason to wait. */
  add(visit: Visited): void;
  /** Records what waits. */
  flush(): Promise<void>;
}

/**
 * Records opens and clicks. They wait WINDOW_MS for others of the same message, because only together they show a scanner
 * that follows every link. A process that is killed loses those of that time: opens and clicks are figures, no promise.
 */
export function visitRecorder(ground: Ground): Visits {
  let waiting = new Map<string, Visited[]>();
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

/** One transaction for the visits of a window. A pixel or link counts once a minute for people and once for machines. */
async function recordVisits(ground: Ground, groups: Visited[][]): Promise<void> {
  const first = groups.flatMap((group) => group.slice(0, 1));
  const sent = await handedOverAt(ground.db, first);
  const items = groups.flatMap((group) => {
    const at = sent.get(group[0]?.deliveryId ?? "");
    if (at === undefined) return [];
    return machinesOf(group, at).map(({ visit, machine }) => ({
      workspaceId: visit.workspaceId,
      deliveryId: visit.deliveryId,
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
  // The same id twice in one statement would be inserted once anyhow; fewer rows are quicker.
  const unique = new Map(items.map((item) => [`${item.deliveryId} ${item.kind} ${item.eventId}`, item]));
  await ground.db.transaction((tx) => feedback(tx, ground, [...unique.values()]));
}
