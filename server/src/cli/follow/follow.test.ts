import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, test, vi } from "vitest";
import { receiver } from "../../../test/support/network/receiver.ts";
import { testService } from "../../../test/support/service.ts";
import { freePort, serve, type Tidings, tidings } from "../../../test/support/tidings.ts";
import { until } from "../../../test/support/wait.ts";
import { clientOf } from "../connect/client.ts";
import { endOfFeed, follow } from "./follow.ts";
import { tail } from "./tail.ts";
import { webhooks } from "./webhooks.ts";

const it = await testService();
const address = await it.service.listen();
const env = { DATABASE_URL: it.databaseUrl, ENCRYPTION_KEY: Buffer.alloc(32).toString("base64") };
const identify = (person_id: string, key = it.secretKey) =>
  it.call("POST", "/data-gateway/v1/identify", { key, body: { person_id } });
const keys = async () => (await it.call("GET", "/api/v1/api-keys")).body.data.map(({ id }: { id: string }) => id);
const printed = (command: Tidings, text: string) => until(() => command.output().includes(text), text, 20_000);

/** Ends a command as Ctrl-C does. */
async function interrupted(command: Tidings): Promise<void> {
  command.kill("SIGINT");
  expect(await command.exit, command.output()).toBe(0);
}

test("tail prints the last events, then each new one, with a key that only reads and is removed at Ctrl-C", async () => {
  for (const name of ["first", "second", "third"]) await identify(name);
  // The feed ends before what an earlier transaction may still add.
  const newest = async () => (await it.call("GET", "/api/v1/activity?limit=1")).body.data[0]?.data.person_id;
  await until(async () => (await newest()) === "third", "the feed to have all three");
  const before = await keys();
  const command = tidings(["tail", "--url", address, "--lines", "2"], { env });
  await printed(command, "third");
  const { body } = await it.call("GET", "/api/v1/api-keys");
  expect(body.data[0]).toMatchObject({ name: "tidings tail", scopes: ["read"] });
  await identify("fourth");
  await printed(command, "fourth");
  expect(command.stdout()).toMatch(/^\S+Z {2}person\.identified {3}second .*\n.* third .*\n.* fourth .*\n$/);
  await interrupted(command);
  expect(await keys()).toEqual(before);
}, 60_000);

test("tail --json prints the events of the feed, of some kinds and of one person", async () => {
  const args = ["--types", "person.unsubscribed,email.*", "--person", "ada", "--lines", "0"];
  const command = tidings(["tail", "--url", address, "--secret-key", it.secretKey, "--json", ...args]);
  // Its first event can be that of any of these calls.
  await until(async () => {
    for (const person of ["eve", "ada"]) {
      await identify(person);
      for (const subscribed of [true, false])
        await it.call("PATCH", `/api/v1/people/${person}/subscriptions`, { body: { subscribed } });
    }
    return command.stdout() !== "";
  }, "an event");
  const line = command.stdout().split("\n")[0] ?? "";
  expect(JSON.parse(line)).toMatchObject({ type: "person.unsubscribed", data: { person_id: "ada" } });
  expect(command.stdout()).not.toMatch(/"eve"|identified/);
  await interrupted(command);
}, 60_000);

test("webhooks listen calls a receiver with each new event, signed, and prints each answer", async () => {
  // A workspace without earlier events: while another test's transaction is open, the feed gives them again.
  const { secretKey } = await it.another();
  const far = await receiver();
  const args = ["webhooks", "listen", "--to", far.url, "--types", "person.identified", "--url", address];
  const command = tidings([...args, "--secret-key", secretKey]);
  await printed(command, "Signing secret: ");
  const secret = /whsec_\S+/.exec(command.output())?.[0] ?? "";
  await identify("called", secretKey);
  await until(() => far.calls.length === 1, "the call");
  const [{ body, headers, event } = { body: "", headers: {}, event: undefined }] = far.calls;
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(event);
  const { body: feed } = await it.call("GET", "/api/v1/activity?types=person.identified&limit=1", { key: secretKey });
  expect(event).toEqual(feed.data[0]);
  await printed(command, "204 in ");

  far.answer = (response) => void response.writeHead(302, { location: "/elsewhere" }).end();
  await identify("redirected", secretKey);
  await printed(command, "Redirects are not followed");
  expect(far.calls).toHaveLength(2);
  await interrupted(command);
}, 60_000);

test("no event is left out while the service restarts", async () => {
  const { databaseUrl, secretKey } = await testService();
  const port = await freePort();
  const start = () => serve({ ...env, DATABASE_URL: databaseUrl, PORT: String(port) });
  const first = await start();
  const client = clientOf(first.address, { secret: secretKey, public: "" });
  const known = (person_id: string) =>
    client.call("POST", "/data-gateway/v1/identify", "secret", { person_id, attributes: {} });
  const told = vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => told.mockRestore());
  const seen: (string | null)[] = [];
  const stop = new AbortController();
  const following = follow(
    client,
    await endOfFeed(client),
    { types: undefined, signal: stop.signal },
    ({ data }) => void seen.push(data.person_id),
  );
  await known("before");
  await until(() => seen.length === 1, "the first event");
  first.kill("SIGTERM");
  await first.exit;
  await until(() => told.mock.calls.length === 1, "the missing service to be noticed");
  await start();
  for (const name of ["after", "later"]) await known(name);
  await until(() => seen.length === 3, "the other events", 30_000);
  stop.abort();
  await following;
  expect(seen).toEqual(["before", "after", "later"]);
  expect(told.mock.calls.flat()).toEqual([
    "tidings: the service does not answer; trying again each second",
    "tidings: it answers again",
  ]);
}, 120_000);

const called = ["--url", address, "--secret-key", it.secretKey];
test.each([
  [tail, ["--lines", "many"], "--lines takes a number from 0 to 200"],
  [tail, ["--types", "email.flown", ...called], /^invalid_request: /],
  [tail, ["--url", "http://127.0.0.1:1", "--secret-key", "x"], "no service answers on http://127.0.0.1:1"],
  [tail, ["--url", address, "--secret-key", "tid_sec_wrong"], /^unauthenticated: /],
  [webhooks, [], "webhooks takes listen"],
  [webhooks, ["listen"], "listen takes the address to call: --to"],
  [webhooks, ["listen", "--to", "localhost:3000"], "is not an address such as http://localhost:3000/webhooks"],
  [webhooks, ["listen", "--to", "http://localhost:1", "--secret", "whsec_c2hvcnQ="], "--secret takes whsec_ and at"],
])("%o with %j is refused with a sentence", async (command, args, why) => {
  await expect(command(args)).rejects.toThrow(why);
});
