import type { Ground } from "../platform/ground.ts";
import { runTime } from "../platform/work/batches.ts";
import type { Job } from "../platform/work/jobs.ts";
import { allWorkspaces, keptSince } from "../workspaces/index.ts";
import { fill } from "./fill.ts";
import { attributesBefore, forgetAttributes, forgetGone, forgetNames, forgetSeenOnce } from "./forget-store.ts";
import { samplePeople } from "./sample-store.ts";
import { isFullOfEvents, isFullOfFields } from "./store.ts";

const DAY_MS = 86_400_000;
/** In a full catalog, a name goes that was only seen once, a day ago, and an attribute that nobody got for a month. */
const SEEN_ONCE_MS = DAY_MS;
const ATTRIBUTE_MS = 30 * DAY_MS;

/** The background jobs of the catalog. */
export function jobs(ground: Ground): Job[] {
  return [
    { name: "catalog.fill.v1", cron: "*/5 * * * *", run: () => fill(ground, runTime()) },
    { name: "catalog.forget.v1", cron: "23 * * * *", run: () => forget(ground) },
  ];
}

/** Deletes names of which no event is kept any more, and makes room in a full catalog. */
export async function forget({ workDb, clock }: Pick<Ground, "workDb" | "clock">): Promise<void> {
  const now = clock.now();
  const ago = (ms: number) => new Date(now.getTime() - ms);
  for (const workspace of await allWorkspaces(workDb)) {
    const { id } = workspace;
    if (await isFullOfEvents(workDb, id)) await forgetSeenOnce(workDb, id, ago(SEEN_ONCE_MS));
    await forgetNames(workDb, id, keptSince(workspace, "events", now));
    if (!(await isFullOfFields(workDb, id, ""))) continue;
    const old = await attributesBefore(workDb, id, ago(ATTRIBUTE_MS));
    const had = (await samplePeople(workDb, id, old)).fields;
    const unused = old.filter((name) => !had.has(name));
    await forgetAttributes(workDb, id, unused);
  }
  await forgetGone(workDb);
}
