import type { LiveChanged, LiveProgress } from "@tidings/contract/live";
import type { Event } from "@tidings/contract/webhooks";

/** What was read and may be different now. */
export interface Concerns {
  /** Paths of the product API, without what is below them. */
  exact: string[];
  /** Paths with everything below them. */
  below: string[];
}

const roomOfSource = { transactional: "/transactionals", broadcast: "/broadcasts", campaign: "/campaigns" } as const;
const personPath = (id: string) => `/people/${encodeURIComponent(id)}`;

/** What an entry of the log concerns. */
export function ofActivity({ type, data }: Pick<Event, "type" | "data">): Concerns {
  const { person_id: person, delivery_id: delivery, source, source_id: sourceId } = data;
  const [about = "", what = ""] = type.split(".");
  const exact: string[] = [];
  const below: string[] = ["/activity"];
  if (delivery) {
    exact.push("/deliveries", "/analytics", "/analytics/metrics");
    below.push(`/deliveries/${delivery}`);
    // A captured message is there once it is handed over.
    if (what === "sent") exact.push("/outbox");
    if (source && source !== "test" && sourceId)
      below.push(...["metrics", "failures"].map((part) => `${roomOfSource[source]}/${sourceId}/${part}`));
  }
  if (person) {
    const path = personPath(person);
    if (about === "person") below.push(path);
    else exact.push(...["activity", "timeline", "in-app"].map((part) => `${path}/${part}`));
  }
  if (about === "person") exact.push("/people");
  if (/suppressed$/.test(what)) exact.push("/suppressions");
  if (about === "webhook") below.push("/webhooks");
  return { exact, below };
}

/** What else is different after a call changed a resource of a kind. */
const AND: Record<string, string[]> = {
  audiences: ["/imports", "/tasks"],
  suppressions: ["/imports", "/tasks"],
  broadcasts: ["/tasks"],
  campaigns: ["/tasks"],
  webhooks: ["/tasks"],
  people: ["/activity"],
  deliveries: ["/outbox"],
};

/** What a change by a call concerns. One that names no resource concerns all of its kind. */
export function ofChange({ type, id }: LiveChanged): Concerns {
  const others = ["/audit", ...(AND[type] ?? [])];
  return id === null
    ? { exact: [], below: [`/${type}`, ...others] }
    : { exact: [`/${type}`], below: [`/${type}/${id}`, ...others] };
}

/** What the progress of a resource concerns. */
export const ofProgress = ({ type, id, progress }: LiveProgress): Concerns => ({
  // A campaign whose runs only advance has no progress: it is no task that ends.
  exact: progress === null ? [`/${type}`] : [`/${type}`, "/tasks"],
  below: [`/${type}/${id}`],
});

/** Whether a path was read that is concerned. `exact` and `below` may have thousands, so each path is looked up and not compared. */
export function isConcerned(path: string, exact: ReadonlySet<string>, below: ReadonlySet<string>): boolean {
  if (exact.has(path)) return true;
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1))
    if (below.has(path.slice(0, end))) return true;
  return false;
}
