import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { testService } from "../../../test/support/service.ts";
import { tidings } from "../../../test/support/tidings.ts";
import { campaigns } from "./campaigns.ts";

const it = await testService();
const address = await it.service.listen();

/** Runs the command in this process and returns what it prints. */
async function run(...args: string[]): Promise<string> {
  const lines: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((text) => lines.push(text));
  await campaigns([...args, "--url", address, "--secret-key", it.secretKey]).finally(() => log.mockRestore());
  return lines.join("\n");
}
const json = async (...args: string[]) => JSON.parse(await run(...args, "--json"));

const wait = (id: string) => ({ id, type: "wait", for: { amount: 1, unit: "days" } });
async function create(name: string, steps: object[]): Promise<string> {
  const body = { name, trigger: { type: "api" }, reentry: "always", steps };
  return (await it.call("POST", "/api/v1/campaigns", { body })).body.id;
}
await it.call("POST", "/data-gateway/v1/identify", { body: { person_id: "ada" } });

test("a campaign is shown in words, activated by its name, paused, resumed and archived", async () => {
  const id = await create("Welcome", [wait("settle"), { id: "done", type: "exit" }]);
  const other = await create("Empty", []);
  expect(await run("list")).toContain(`${id}  draft   api      none      Welcome`);
  expect((await json("list")).map((one: { id: string }) => one.id)).toEqual(expect.arrayContaining([id, other]));
  const shown = await run("show", "Welcome");
  expect(shown).toContain("draft, never activated");
  expect(shown).toContain("\nsettle  They wait for 1 day.\n");
  await expect(run("activate", other)).rejects.toThrow(/campaign_invalid: .*\n {2}\/steps /);
  expect(await run("activate", "Welcome")).toBe("Welcome is active, version 1.");
  expect(await run("pause", id)).toBe("Welcome is paused, version 1.");
  expect((await json("resume", id)).status).toBe("active");
  expect(await run("archive", id)).toBe("Welcome is archived, version 1.");
  await expect(run("pause", id)).rejects.toThrow("wrong_status: ");
});

test("runs are started, listed, shown step by step and canceled by their key", async () => {
  const id = await create("Orders", [wait("patience")]);
  await run("activate", id);
  const { run_id } = await json("start", id, "--person", "ada", "--data", '{"order": 7}', "--key", "order-7");
  expect(await run("start", id, "--person", "ada", "--key", "order-8")).toMatch(/^run_\w+$/);
  expect((await json("runs", id, "--status", "active", "--step", "patience", "--limit", "1")).length).toBe(1);
  expect(await run("runs", id, "--person", "ada")).toMatch(new RegExp(`${run_id} +ada +active +patience `));
  expect(await json("runs", id, run_id)).toMatchObject({ data: { order: 7 }, history: [] });
  expect(await run("runs", id, run_id)).toMatch(/\nstep +state +way +reason +entered +left +delivery$/);
  expect(await run("cancel", id, "--key", "order-7")).toBe("1 run canceled");
  expect(await run("runs", id, "--status", "canceled")).toContain("cancellation_key");
  expect(await json("cancel", id, "--key", "order-7")).toEqual({ canceled: 0 });
});

test("a changed journey is activated only after the decision about the people in it", async () => {
  const id = await create("Changed", [wait("first")]);
  await run("activate", id);
  await run("start", id, "--person", "ada");
  await it.call("PATCH", `/api/v1/campaigns/${id}`, { body: { steps: [wait("second")] } });
  expect(await run("show", id)).toContain("the draft differs");
  await expect(run("activate", id)).rejects.toThrow("(1 at first): repeat this with --inside stay, move or end");
  expect(await run("activate", id, "--inside", "end")).toBe("Changed is active, version 2.");
});

test("a draft is simulated on a time line for a person with an event, or with an input from a file", async () => {
  const hello = {
    id: "hello",
    type: "message",
    channel: "email",
    content: { subject: "Hi {{trigger.plan}}", body: "b" },
  };
  const plan = { id: "plan", type: "branch", if: { trigger: "plan", op: "eq", value: "pro" } };
  const body = {
    name: "Simulated",
    trigger: { type: "event", name: "signed_up" },
    steps: [hello, wait("settle"), plan],
  };
  const { id } = (await it.call("POST", "/api/v1/campaigns", { body })).body;
  const email = { person_id: "ada", attributes: { email: "ada@example.com" } };
  await it.call("POST", "/data-gateway/v1/identify", { body: email });
  const said = await run(
    "simulate",
    "Simulated",
    "--person",
    "ada",
    "--event",
    "signed_up",
    "--data",
    '{"plan": "pro"}',
  );
  expect(said).toMatch(/^at +step +what happens\n/);
  expect(said).toMatch(/hello +.*\n +"Hi pro"\n/);
  expect(said).toMatch(/settle +The run waits until/);
  expect(said).toMatch(/plan .*\n +yes: trigger\.plan is "pro"/);
  expect(said).toMatch(/The run is completed\.$/);
  expect(await run("simulate", "Simulated", "--person", "ada")).toMatch(
    /^Nothing happens: the person does not enter\..*--event NAME/,
  );
  const file = join(await mkdtemp(join(tmpdir(), "tidings-simulate-")), "input.json");
  onTestFinished(() => rm(dirname(file), { recursive: true }));
  const at = "2030-01-01T10:00:00.000Z";
  await writeFile(file, JSON.stringify({ person: { name: "Eve" }, events: [{ eventName: "signed_up", at }] }));
  expect((await json("simulate", id, "--file", file)).timeline[0]).toMatchObject({ at, kind: "event" });
  await writeFile(file, "[]");
  await expect(run("simulate", id, "--file", file)).rejects.toThrow("must have a JSON object");
});

test.each([
  [["show"], "show takes the id or the name of a campaign"],
  [["show", "Nothing"], 'there is no campaign "Nothing"'],
  [["start", "Twins", "--person", "ada"], /2 campaigns have the name "Twins": use an id, cmp_\w+ or cmp_\w+$/],
  [["start", "Only"], "start takes the person who enters"],
  [["start", "Only", "--person", "ada", "--data", "[7]"], "--data takes a JSON object"],
  [["start", "Only", "--person", "nobody"], /^(person_not_found|wrong_status): /],
  [["cancel", "Only"], "cancel takes the cancellation_key"],
  [["simulate", "Only"], "simulate takes a person (--person PERSON_ID) or an input (--file FILE)"],
  [["simulate", "Only", "--file", "x.json", "--event", "a"], "--file has the events and the data"],
  [["runs", "Only", "--limit", "none"], "--limit takes a number"],
  [["runs", "Only", "--inside", "end"], "runs does not take --inside"],
  [["archive", "Only", "the", "brave"], "archive does not take the: write a name with spaces in quotes"],
  [["list", "Only"], "list does not take Only"],
  [["dance", "Only"], "campaigns takes list, show, activate,"],
])("%j is refused with a sentence", async (args, why) => {
  if (args[1] === "Twins") await Promise.all([create("Twins", []), create("Twins", [])]);
  if (args[1] === "Only" && !(await run("list")).includes("Only")) await create("Only", [wait("pause")]);
  await expect(run(...args)).rejects.toThrow(why);
});

test("without a key the command works beside the service with a key that it removes", async () => {
  const keys = async () => (await it.call("GET", "/api/v1/api-keys")).body.data.map(({ id }: { id: string }) => id);
  const before = await keys();
  const env = { DATABASE_URL: it.databaseUrl, ENCRYPTION_KEY: Buffer.alloc(32).toString("base64") };
  const command = tidings(["campaigns", "list", "--url", address], { env });
  expect(await command.exit, command.output()).toBe(0);
  expect(command.stdout()).toMatch(/^id +status +trigger +channels +name\n/);
  expect(await keys()).toEqual(before);
});
