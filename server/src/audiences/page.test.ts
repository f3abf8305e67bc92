import { expect, test } from "vitest";
import { testService } from "../../test/support/service.ts";
import { countOf, page, readFilter } from "./index.ts";

const it = await testService();
const { db, clock } = it.service.ground;
const batch = (key: string, names: string[]) =>
  it.call("POST", "/data-gateway/v1/batch", {
    key,
    body: {
      items: names.flatMap((person_id, i) => [
        { type: "identify", person_id, attributes: { n: i } },
        { type: "track", person_id, eventName: i % 2 === 0 ? "even" : "odd" },
      ]),
    },
  });

test("the pages contain each person of the workspace once, in the order of person_key, and as many as the count says", async () => {
  const names = Array.from({ length: 50 }, (_, i) => `person-${i}`);
  const other = await it.another();
  for (const key of [it.secretKey, other.secretKey]) expect((await batch(key, names)).status).toBe(200);
  const filter = readFilter({ all: [{ event: "even", op: "performed", count: { eq: 1 } }] }, "/filter");
  const keys: string[] = [];
  const found: string[] = [];
  for (;;) {
    const people = await page(db, it.workspaceId, { filter, cursor: keys.at(-1), limit: 7, now: clock.now() });
    keys.push(...people.map(({ person_key }) => person_key));
    found.push(...people.map(({ person_id }) => person_id));
    if (people.length < 7) break;
  }
  expect(keys).toEqual(keys.toSorted());
  expect(found.toSorted()).toEqual(names.filter((_, i) => i % 2 === 0).toSorted());
  const { count, sample } = await countOf(db, it.workspaceId, filter, clock.now());
  expect(count).toBe(25);
  expect(sample).toEqual(found.slice(0, 10));
});
