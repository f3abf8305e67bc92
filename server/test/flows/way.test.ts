import { readFileSync } from "node:fs";
import type { Profiler } from "node:inspector";
import { Session } from "node:inspector/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { inShards } from "../support/database/citus.ts";
import { sql } from "../../src/platform/db/index.ts";
import { decodeId } from "../../src/platform/ids.ts";
import { transactionalsService } from "../support/services/transactionals.ts";
import { until } from "../support/wait.ts";

// V8 counts the calls of each function, so this knows which files one email really passes, from its call to its end.

const { it, make, send, identify } = await transactionalsService();
const { db } = it.service.ground;
const src = fileURLToPath(new URL("../../src/", import.meta.url));

/** A timer writes when a key was last used, soon after each call. */
const BESIDE = ["workspaces/keys/key-uses.ts", "workspaces/keys/keys-store.ts"];
/** The slices of the way; other slices listen to what happens, or poll. */
const SLICES = /^(transactionals|templates|content|people|subscriptions|activity|outbound|workspaces)\//;

/** Returns the files that the page names, in its order. */
function named(): string[] {
  const page = readFileSync(fileURLToPath(new URL("../../../docs/flows/trigger.md", import.meta.url)), "utf8");
  const table = page.slice(page.indexOf("| step | files |"));
  return [...table.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file = ""]) => file);
}

/** Returns the files of the slices in which a function was called. A function that begins at 0 is the file itself, which was loaded before. */
const enteredIn = (scripts: Profiler.ScriptCoverage[]): Set<string> =>
  new Set(
    scripts
      .filter(({ functions }) =>
        functions.some(({ ranges: [range] }) => range && range.count > 0 && range.startOffset > 0),
      )
      .map(({ url }) => url.replace("file://", "").replace(src, ""))
      .filter((file) => SLICES.test(file) && !/(^|\/)index\.ts$|\.test\.ts$/.test(file) && !BESIDE.includes(file)),
  );

/** Sends one email to a known person, and waits until it is settled. */
async function once(id: string): Promise<void> {
  const { status, body } = await send({ transactional_message_id: id, identifiers: { id: "ada" } });
  expect(status).toBe(202);
  const delivery = decodeId("dlv", body.delivery_id);
  await until(async () => {
    const [row] = await db.query<{ status: string }>(sql`select status from deliveries where id = ${delivery}`);
    return row?.status === "sent";
  }, "the end of the delivery");
}

test("one email passes the files that docs/flows/trigger.md names, and no others", async () => {
  await identify("ada", { email: "ada@example.test" });
  const { id } = await make({ content: { subject: "Hello", body: "<p>Hi {{person.email}}</p>" } });
  // The first call compiles and opens what is kept.
  await once(id);

  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const ways: Set<string>[] = [];
  for (let i = 0; i < 4; i++) {
    await session.post("Profiler.takePreciseCoverage");
    await once(id);
    ways.push(enteredIn((await session.post("Profiler.takePreciseCoverage")).result));
  }
  session.disconnect();
  // Timers run beside a call, but not beside each of them.
  const entered = [...(ways[0] ?? [])].filter((file) => ways.every((way) => way.has(file)));
  // In shards the provider gets the person with the delivery.
  const own = inShards ? ["outbound/feedback/reference.ts"] : [];
  expect(entered.sort()).toEqual([...named(), ...own].sort());
});
