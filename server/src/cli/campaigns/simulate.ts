import { readFileSync } from "node:fs";
import type { Simulation, TimelineEntry } from "@tidings/contract/campaigns/simulate";
import type { Static } from "typebox";
import { columns } from "../terminal/columns.ts";
import { Refused } from "../terminal/refused.ts";

/** What `tidings campaigns simulate` takes: a whole input in a file, or a person and at most one event, which happens now. */
export interface SimulateOptions {
  person?: string | undefined;
  event?: string | undefined;
  data?: object | undefined;
  file?: string | undefined;
}

/** Returns the body of the call. @throws Refused */
export function simulationInput({ person, event, data, file }: SimulateOptions, now: Date): object {
  if (file !== undefined) {
    if (event !== undefined || data !== undefined)
      throw new Refused("--file has the events and the data of the simulation: give it without --event and --data");
    return { ...inputIn(file), ...(person !== undefined && { person_id: person }) };
  }
  if (person === undefined) throw new Refused("simulate takes a person (--person PERSON_ID) or an input (--file FILE)");
  if (event === undefined) return { person_id: person, ...(data && { data }) };
  const happened = { eventName: event, ...(data && { properties: data }), at: now.toISOString() };
  return { person_id: person, events: [happened] };
}

/** @throws Refused where the file has no JSON object */
function inputIn(file: string): object {
  const value = jsonObject(readFileSync(file, "utf8"));
  if (value) return value;
  throw new Refused(`${file} must have a JSON object: {"person": {...}, "events": [...]}`);
}

/** Returns the JSON object in a text; undefined where it has none. */
export function jsonObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the time line: when, at which step, and what happens, with the verdicts of conditions and the texts of messages below. */
export function timelineText({ timeline, stopped }: Static<typeof Simulation>): string {
  if (timeline.length === 0 && stopped === null) return NOTHING;
  const several = timeline.some(({ run }) => (run ?? 1) > 1);
  const rows = timeline.flatMap((entry): string[][] => [
    [entry.at, several && entry.run !== null ? `run ${entry.run}` : "", entry.step_id ?? "", entry.text],
    ...detailsOf(entry).map((detail) => ["", "", "", `  ${detail}`]),
  ]);
  const table = columns(["at", several ? "run" : "", "step", "what happens"], rows);
  return stopped === null ? table : `${table}\n\nThe time line ends early: ${STOPS[stopped]}.`;
}

const NOTHING =
  "Nothing happens: the person does not enter. Who enters by an event needs it: --event NAME, or the events of --file.";

function detailsOf({ because, message }: TimelineEntry): string[] {
  const verdicts = because.map(({ pass, text }) => `${pass ? "yes" : "no"}: ${text}`);
  const { subject, title, body } = (message?.content ?? {}) as Record<string, string | undefined>;
  const says = subject ?? title ?? body;
  return says === undefined ? verdicts : [...verdicts, `"${says}"`];
}

const STOPS = {
  entries: "it has 500 entries",
  until: "the next entry is more than five years after the start",
  too_long: "it took longer than 5 s",
};
