import { whoStayed } from "../../people/index.ts";
import type { Ground } from "../../platform/ground.ts";
import type { Interact } from "./interact.ts";

/**
 * Takes reports of an application that still has the id of a person who was merged, such as those that it stored while offline: the deliveries are
 * those of the person who stayed. Only a report on an unknown delivery costs a look for a merge.
 */
export const afterMerges =
  ({ db }: Pick<Ground, "db">, interact: Interact): Interact =>
  async (ask) => {
    const outcomes = await interact(ask);
    const unknown = ask.reports.filter((_, at) => outcomes[at] === undefined);
    const stayed = unknown.length > 0 ? await whoStayed(db, ask.workspaceId, ask.personKey) : undefined;
    if (stayed === undefined) return outcomes;
    const theirs = await interact({ ...ask, personKey: stayed, reports: unknown });
    let next = 0;
    return outcomes.map((outcome) => outcome ?? theirs[next++]);
  };
