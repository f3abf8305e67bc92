import { expect, test } from "vitest";
import { destinationService, newest } from "../../test/support/services/destinations.ts";
import { record } from "../activity/index.ts";
import { recordEvents } from "../events/index.ts";
import { newId } from "../platform/ids.ts";
import { personKey } from "../workspaces/index.ts";

// What was being written of a person during a merge is read by streams, webhooks and the feed before a job moves it to the person who stayed.

const { it, ground, toBucket, create, rounds, inBucket } = await destinationService();
const { workspaceId } = it;
await create(toBucket());

async function merged(): Promise<[from: string, into: string]> {
  const [from, into] = [`from-${newId()}`, `into-${newId()}`];
  for (const person_id of [from, into])
    await it.call("POST", "/data-gateway/v1/identify", { body: { person_id, attributes: {} } });
  expect((await it.call("POST", `/api/v1/people/${from}/merge`, { body: { into } })).status).toBe(200);
  return [from, into];
}

/** Stores a delivery and its entry in the log, each with the key of one of the two people. */
async function sentTo(person: string, entryOf = person): Promise<void> {
  const [id, at] = [newId(), new Date()];
  await ground.db.transaction(async (tx) => {
    await tx.execute({
      text: `insert into deliveries (person_key, id, workspace_id, channel, source, recipient, status, queued_at)
        values ($1, $2, $3, 'sms', 'test', '+4915112345678', 'sent', $4)`,
      values: [personKey(workspaceId, person), id, workspaceId, at],
    });
    const entry = { workspaceId, personKey: personKey(workspaceId, entryOf), type: "sms.sent", deliveryId: id, at };
    await record(tx, [entry]);
  });
}

const feed = async () => (await it.call("GET", "/api/v1/events?limit=200")).body.data;

test("rows of a merged person that nothing moved yet have the id of the person who stayed", async () => {
  const [from, into] = await merged();
  await sentTo(from);
  const whom = { workspaceId, personKey: personKey(workspaceId, from) };
  const event = { ...whom, name: "late", properties: {}, ts: undefined, eventId: undefined };
  await ground.db.transaction((tx) => recordEvents(tx, [event], new Date()));
  await rounds(1);
  expect(inBucket("deliveries")).toMatchObject([{ status: "sent", person_id: into }]);
  expect(inBucket("events")).toMatchObject([{ name: "late", person_id: into }]);
  const late = { type: "sms.sent", channel: "sms", person_id: into };
  expect(inBucket("activity")).toContainEqual(expect.objectContaining(late));
  expect(await feed()).toContainEqual(
    expect.objectContaining({ type: "sms.sent", data: expect.objectContaining({ channel: "sms", person_id: into }) }),
  );
});

// In shards a statement may read the log before a merge, and the deliveries after it.
test("a delivery that is the target's already is found for an entry that is not", async () => {
  const [from, into] = await merged();
  await sentTo(into, from);
  await rounds(1);
  const own = newest(inBucket("deliveries")).filter((row) => row.person_id === into);
  expect(own).toMatchObject([{ status: "sent" }]);
  const entry = {
    delivery_id: own[0].id,
    channel: "sms",
    source: "test",
    person_id: into,
    recipient: "+4915112345678",
  };
  expect(inBucket("activity")).toContainEqual(expect.objectContaining(entry));
  expect(await feed()).toContainEqual(
    expect.objectContaining({ type: "sms.sent", data: expect.objectContaining(entry) }),
  );
});

test("of two people of one id after each other, the rows are those of the one who is there", async () => {
  const [from, into] = await merged();
  await it.call("POST", "/data-gateway/v1/identify", { body: { person_id: from, attributes: {} } });
  await sentTo(from);
  await rounds(1);
  expect(inBucket("deliveries").filter(({ person_id }) => person_id === from)).toHaveLength(1);
  expect(inBucket("deliveries").filter(({ person_id }) => person_id === into)).toEqual([]);
});
