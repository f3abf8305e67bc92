import { expect, test } from "vitest";
import { heldHere } from "../../../test/support/memory/held.ts";
import { inAppService } from "../../../test/support/services/in-app.ts";
import { sql } from "../../platform/db/index.ts";
import { decodeId } from "../../platform/ids.ts";
import { loadVersions } from "./compiled.ts";

const { it, identify, define, send, sync } = await inAppService();
const { db } = it.service.ground;

/** The longest body. */
const LONG = 50_000;
/** With their JSON they take 80 MB, more than the 64 that a process keeps. */
const VERSIONS = 800;

/** Makes versions 2 to VERSIONS + 1 of a message, with a long body each. */
const grown = (message: string) =>
  db.execute(sql`
    insert into in_app_message_versions
    select workspace_id, id, version + n, definition || jsonb_build_object('body', repeat('x', ${LONG})), created_at
    from in_app_message_versions, generate_series(1, ${VERSIONS}) n where id = ${decodeId("msg", message)}`);

const versionsOf = (message: string) =>
  Array.from({ length: VERSIONS }, (_, i) => ({
    message_id: decodeId("msg", message) as string,
    message_version: i + 2,
  }));

/** Loads all of the versions of a new message, and returns those that are not found. */
async function notFound() {
  const message = await define();
  await grown(message);
  const rows = versionsOf(message);
  const versions = await loadVersions(db, it.workspaceId, rows);
  return rows.filter((row, i) => versions[i]?.version !== row.message_version);
}

test("versions are found though together they are more than a process keeps, and it keeps no more than that", async () => {
  const before = heldHere();
  for (let i = 0; i < 4; i++) expect(await notFound()).toEqual([]);
  expect((heldHere() - before) / 1e6).toBeLessThan(90);
});

test("a message whose versions were forgotten is shown all the same", async () => {
  await identify("ada");
  await send(await define({ title: "Once" }), "ada");
  expect(await notFound()).toEqual([]);
  expect(await sync("ada")).toMatchObject([{ content: { title: "Once" } }]);
});
