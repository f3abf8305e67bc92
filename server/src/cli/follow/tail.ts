import { parseArgs } from "node:util";
import { bodyOf, type Client } from "../connect/client.ts";
import { Refused } from "../terminal/refused.ts";
import { withClient } from "../workspaces/temporary-key.ts";
import { endOfFeed, type FedEvent, type Following, follow, untilInterrupted } from "./follow.ts";

/** How many events from before are shown first, and the most that can be. */
const LINES = { usual: 10, most: 200 };

/** `tidings tail`: prints what happens in a workspace, as it happens. */
export async function tail(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      url: { type: "string" },
      "secret-key": { type: "string" },
      workspace: { type: "string" },
      types: { type: "string" },
      person: { type: "string" },
      lines: { type: "string" },
      json: { type: "boolean" },
    },
  });
  const { types, person, json } = values;
  const lines = linesOf(values.lines);
  const signal = untilInterrupted();
  const print = (event: FedEvent) => console.log(json ? JSON.stringify(event) : lineOf(event));
  await withClient(
    "tail",
    values,
    async (client) => {
      const cursor = await endOfFeed(client);
      const before = await lastEvents(client, { types, person }, lines);
      for (const event of before) print(event);
      // An event that came between the two calls is in both.
      const printed = new Set(before.map(({ id }) => id));
      await follow(client, cursor, { types, signal }, (event) => {
        if (!printed.has(event.id) && (person === undefined || event.data.person_id === person)) print(event);
      });
    },
    { follows: true },
  );
}

function linesOf(text: string | undefined): number {
  const lines = Number(text ?? LINES.usual);
  if (!/^\d{1,3}$/.test(text ?? "0") || lines > LINES.most)
    throw new Refused(`--lines takes a number from 0 to ${LINES.most}`);
  return lines;
}

/** Returns the last events, the oldest first. @throws Refused */
async function lastEvents(
  client: Client,
  { types, person }: Pick<Following, "types"> & { person: string | undefined },
  lines: number,
): Promise<FedEvent[]> {
  if (lines === 0) return [];
  const query = new URLSearchParams({
    limit: String(lines),
    ...(types !== undefined && { types }),
    ...(person !== undefined && { person_id: person }),
  });
  const page = bodyOf(await client.call("GET", `/api/v1/activity?${query}`, "secret"));
  return (page.data as FedEvent[]).toReversed();
}

/** One line: when, what, who, which message, and what else is known. */
function lineOf({ type, timestamp, data }: FedEvent): string {
  const { person_id, recipient, source, source_id, delivery_id, details } = data;
  const more = Object.keys(details).length === 0 ? "" : JSON.stringify(details);
  const whose = [person_id ?? "-", recipient, source_id ?? source, delivery_id, more];
  return [timestamp, type.padEnd(18), ...whose.filter(Boolean)].join("  ");
}
