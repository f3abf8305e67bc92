import type { Step } from "@tidings/contract/campaigns/steps";
import { describe, expect, test } from "vitest";
import { inAppService } from "../../test/support/services/in-app.ts";
import { sql } from "../platform/db/index.ts";
import { decodeId } from "../platform/ids.ts";
import { personKey } from "../workspaces/index.ts";
import { publishedOf } from "./definition/published.ts";
import { enter } from "./entry/enter.ts";
import type { RunRow } from "./run/run.ts";

const { it, clock, define, identify } = await inAppService();
const { db } = it.service.ground;
const message = await define();
const other = await define();
const call = (method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: object) =>
  it.call(method, `/api/v1/campaigns${path}`, body ? { body } : {});
const days = (id: string, amount = 1): Step => ({ id, type: "wait", for: { amount, unit: "days" } });
const hello = (id: string, message_id = message): Step => ({ id, type: "message", channel: "in_app", message_id });
const steps = [days("first"), hello("hello"), days("last")];

async function draft(fields: object = {}): Promise<string> {
  const made = await call("POST", "", { name: "Test", trigger: { type: "api" }, steps, ...fields });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.id;
}
const uuidOf = (id: string) => decodeId("cmp", id) as string;

/** Lets people in, at the first step of the graph; gives their keys. */
async function letIn(id: string, graph: number, ...people: string[]): Promise<void> {
  const published = await publishedOf(db, it.workspaceId, uuidOf(id), graph);
  if (!published) throw new Error("it is not published");
  for (const one of people) await identify(one);
  const candidates = people.map((one) => ({
    published,
    personKey: personKey(it.workspaceId, one),
    cause: "test",
    data: {},
    cancellationKey: undefined,
  }));
  await db.transaction((tx) => enter(tx, candidates, clock.now()));
}
/** Puts a person's run at a step, as the engine leaves it there. */
const standAt = (id: string, person: string, step: string, { due, fixed = false }: { due: Date; fixed?: boolean }) =>
  db.execute(sql`
    update campaign_runs set step_id = ${step}, due_at = ${due}, due_fixed = ${fixed}
    where campaign_id = ${uuidOf(id)} and person_key = ${personKey(it.workspaceId, person)}`);
const runs = (id: string) =>
  db.query<RunRow>(
    sql`select r.*, p.person_id from campaign_runs r join people p using (person_key) where campaign_id = ${uuidOf(id)} order by person_id`,
  );
const after = (ms: number) => new Date(clock.now().getTime() + ms);
const DAY = 86_400_000;

describe("activating", () => {
  test("publishes a version; a change of what messages say keeps the graph, a change of the journey makes the next", async () => {
    const id = await draft();
    const first = await call("POST", `/${id}/activate`);
    expect(first).toMatchObject({
      status: 200,
      body: { status: "active", published: { version: 1, activated_at: clock.now().toISOString() }, changed: false },
    });
    const at = async () =>
      (await db.query(sql`select version, graph from campaigns where id = ${uuidOf(id)}`))[0] as object;
    const publish = async (fields: object) => {
      clock.forward(1_000);
      const changed = await call("PATCH", `/${id}`, fields);
      expect(changed.body).toMatchObject({ status: "active", changed: true, ...fields });
      expect((await call("POST", `/${id}/activate`)).body.changed).toBe(false);
      return at();
    };
    expect(await publish({ steps: [days("first"), hello("hello", other), days("last")] })).toEqual({
      version: 2,
      graph: 1,
    });
    expect(await publish({ trigger: { type: "event", name: "came" }, reentry: "always" })).toEqual({
      version: 3,
      graph: 1,
    });
    expect(await publish({ steps: [days("first", 2), hello("hello"), days("last")] })).toEqual({
      version: 4,
      graph: 2,
    });
    expect(await publish({ exit_when: { attribute: "a", op: "exists" } })).toEqual({ version: 5, graph: 3 });
    expect(await publish({ steps: [hello("hello"), days("first", 2), days("last")] })).toEqual({
      version: 6,
      graph: 4,
    });
    await call("POST", `/${id}/activate`);
    expect(await at(), "nothing was changed").toEqual({ version: 6, graph: 4 });
    expect((await publishedOf(db, it.workspaceId, uuidOf(id), 1))?.version).toBe(3);
    expect(await publishedOf(db, it.workspaceId, uuidOf(id), 9)).toBeUndefined();
  });

  test("each version says when and by whom it was published, and what was decided about the people inside", async () => {
    const id = await draft();
    expect((await call("GET", `/${id}/versions`)).body).toEqual({ data: [], next_cursor: null });
    await call("POST", `/${id}/activate`);
    const first = clock.now().toISOString();
    await letIn(id, 1, "visitor");
    await call("PATCH", `/${id}`, { steps: [days("other")] });
    clock.forward(60_000);
    expect((await call("POST", `/${id}/activate`, { inside: "end" })).status).toBe(200);
    const { body } = await call("GET", `/${id}/versions`);
    const by = { type: "api_key", id: expect.stringMatching(/^key_/), name: expect.any(String) };
    expect(body.data).toEqual([
      { version: 2, activated_at: clock.now().toISOString(), activated_by: by, inside: "end" },
      { version: 1, activated_at: first, activated_by: by, inside: null },
    ]);
    const { next_cursor } = (await call("GET", `/${id}/versions?limit=1`)).body;
    const older = await call("GET", `/${id}/versions?limit=1&cursor=${next_cursor}`);
    expect(older.body.data).toMatchObject([{ version: 1 }]);
  });

  test("twice at the same time publishes one version", async () => {
    const id = await draft();
    const answers = await Promise.all(Array.from({ length: 5 }, () => call("POST", `/${id}/activate`)));
    for (const { body } of answers) expect(body).toMatchObject({ published: { version: 1 }, changed: false });
    await call("PATCH", `/${id}`, { steps: [hello("hello")] });
    const more = await Promise.all(Array.from({ length: 5 }, () => call("POST", `/${id}/activate`)));
    for (const { body } of more) expect(body).toMatchObject({ published: { version: 2 }, changed: false });
  });

  test("a change is not published until then, and can be taken back", async () => {
    const id = await draft();
    await call("POST", `/${id}/activate`);
    const changed = await call("PATCH", `/${id}`, { name: "Renamed", steps: [hello("hello")] });
    expect(changed.body).toMatchObject({ changed: true, published: { version: 1 }, steps: [{ id: "hello" }] });
    expect((await publishedOf(db, it.workspaceId, uuidOf(id), 1))?.definition.steps).toEqual(steps);
    expect((await call("PATCH", `/${id}`, { steps })).body).toMatchObject({ changed: false, name: "Renamed" });
  });
});

describe("with people inside of a changed journey", () => {
  async function inside(): Promise<string> {
    const id = await draft();
    await call("POST", `/${id}/activate`);
    await letIn(id, 1, "ada", "ben", "cy");
    await standAt(id, "ada", "first", { due: after(DAY) });
    await standAt(id, "ben", "last", { due: after(DAY), fixed: true });
    await standAt(id, "cy", "hello", { due: after(DAY) });
    // The last step is gone, the first is longer.
    await call("PATCH", `/${id}`, { steps: [days("first", 3), hello("hello", other)] });
    return id;
  }

  test("one must say what becomes of them", async () => {
    const id = await inside();
    expect(await call("POST", `/${id}/activate`)).toMatchObject({
      status: 409,
      body: { code: "runs_inside", inside: { total: 3, steps: { first: 1, hello: 1, last: 1 } } },
    });
    expect((await call("GET", `/${id}`)).body).toMatchObject({ changed: true, published: { version: 1 } });
    expect((await call("POST", `/${id}/activate`, { inside: "leave" })).status).toBe(400);
  });

  test("they stay in the one that they are in", async () => {
    const id = await inside();
    const before = await runs(id);
    expect((await call("POST", `/${id}/activate`, { inside: "stay" })).status).toBe(200);
    expect(await runs(id)).toEqual(before);
  });

  test("they move where their step is still there, and look again where it changed", async () => {
    const id = await inside();
    expect((await call("POST", `/${id}/activate`, { inside: "move" })).status).toBe(200);
    expect(await runs(id)).toMatchObject([
      { person_id: "ada", status: "active", graph: 2, step_id: "first", due_at: clock.now() },
      {
        person_id: "ben",
        status: "exited",
        graph: 1,
        step_id: null,
        reason: "step_gone",
        due_at: null,
        ended_at: clock.now(),
      },
      { person_id: "cy", status: "active", graph: 2, step_id: "hello", due_at: after(DAY) },
    ]);
  });

  test("they end", async () => {
    const id = await inside();
    expect((await call("POST", `/${id}/activate`, { inside: "end" })).status).toBe(200);
    const ended = { status: "exited", graph: 1, step_id: null, reason: "campaign_changed" };
    expect(await runs(id)).toMatchObject([ended, ended, ended]);
  });

  test("a mended text asks nothing and reaches them at once", async () => {
    const id = await inside();
    await call("PATCH", `/${id}`, { steps: [days("first"), hello("hello", other), days("last")] });
    expect((await call("POST", `/${id}/activate`)).status).toBe(200);
    expect((await runs(id)).map(({ graph }) => graph)).toEqual([1, 1, 1]);
    const published = await publishedOf(db, it.workspaceId, uuidOf(id), 1);
    expect(published?.journey.nodes.get("hello")?.step).toMatchObject({ message_id: other });
  });
});

describe("a pause", () => {
  test("holds the campaign's own clock, but no dates", async () => {
    const id = await draft();
    await call("POST", `/${id}/activate`);
    await letIn(id, 1, "dan", "eve");
    const due = after(DAY);
    await standAt(id, "dan", "first", { due });
    await standAt(id, "eve", "first", { due, fixed: true });
    const paused = await call("POST", `/${id}/pause`);
    expect(paused.body).toMatchObject({ status: "paused", paused_at: clock.now().toISOString() });
    clock.forward(2 * 3_600_000);
    expect((await call("POST", `/${id}/resume`)).body).toMatchObject({ status: "active", paused_at: null });
    const [row] = await db.query<{ ms: number }>(
      sql`select extract(epoch from behind) * 1000 as ms from campaigns where id = ${uuidOf(id)}`,
    );
    expect(Number(row?.ms)).toBe(2 * 3_600_000);
    const shown = (await call("GET", `/${id}/runs`)).body.data;
    const dueOf = (person: string) => shown.find((run: { person_id: string }) => run.person_id === person).due_at;
    expect(dueOf("dan")).toBe(new Date(due.getTime() + 2 * 3_600_000).toISOString());
    expect(dueOf("eve")).toBe(due.toISOString());
  });

  test("activating a paused campaign publishes what was changed, and goes on", async () => {
    const id = await draft();
    await call("POST", `/${id}/activate`);
    await call("POST", `/${id}/pause`);
    await call("PATCH", `/${id}`, { steps: [hello("hello")] });
    clock.forward(1_000);
    expect((await call("POST", `/${id}/activate`)).body).toMatchObject({
      status: "active",
      paused_at: null,
      published: { version: 2 },
    });
  });
});

describe("what can't be", () => {
  const made: Record<string, string> = {};
  const moves: Record<string, string[]> = {
    draft: [],
    active: ["activate"],
    paused: ["activate", "pause"],
    archived: ["activate", "archive"],
  };
  const inStatus = async (status: string) => {
    made[status] ??= await draft();
    for (const move of moves[status]?.splice(0) ?? []) await call("POST", `/${made[status]}/${move}`);
    return made[status];
  };

  test.each([
    ["draft", "pause"],
    ["draft", "resume"],
    ["draft", "archive"],
    ["active", "resume"],
    ["active", "remove"],
    ["paused", "pause"],
    ["paused", "remove"],
    ["archived", "activate"],
    ["archived", "pause"],
    ["archived", "resume"],
    ["archived", "archive"],
    ["archived", "change"],
  ])("%s: %s", async (status, move) => {
    const id = await inStatus(status);
    const answer =
      move === "remove"
        ? await call("DELETE", `/${id}`)
        : move === "change"
          ? await call("PATCH", `/${id}`, { name: "x" })
          : await call("POST", `/${id}/${move}`);
    expect(answer).toMatchObject({ status: 409, body: { code: "wrong_status", current: status } });
  });

  test("an archived campaign is removed once its runs have ended, with its versions", async () => {
    const id = await inStatus("archived");
    expect(await call("DELETE", `/${id}`)).toMatchObject({ status: 409, body: { code: "conflict" } });
    await db.execute(sql`update campaigns set ending = false where id = ${uuidOf(id)}`);
    expect((await call("DELETE", `/${id}`)).status).toBe(204);
    expect(await db.query(sql`select from campaign_versions where campaign_id = ${uuidOf(id)}`)).toEqual([]);
  });
});
