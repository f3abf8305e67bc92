import { describe, expect, test } from "vitest";
import { testService } from "../../test/support/service.ts";

const it = await testService();
const post = (url: string, body: unknown) => it.call("POST", `/api/v1${url}`, { body });
let made = 0;

describe("circles of audiences", () => {
  const filter = { attribute: "n", op: "exists" };
  const audience = async () => (await post("/audiences", { name: `Circle ${made++}`, filter })).body.id as string;
  const point = (from: string, to: object) =>
    it.call("PATCH", `/api/v1/audiences/${from}`, { body: { filter: to, even_if_used: true } });

  test("are refused at any depth of a filter, and the audience keeps its filter", async () => {
    const chain: string[] = [];
    for (let i = 0; i < 6; i++) chain.push(await audience());
    for (const [i, id] of chain.entries())
      if (i > 0)
        expect((await point(chain[i - 1] as string, { any: [filter, { not: { audience: id } }] })).status).toBe(200);
    const [first] = chain as [string];
    const last = chain.at(-1) as string;
    for (const to of [first, last, chain[3] as string]) {
      const hidden = { all: [filter, { not: { any: [{ audience: to }, { event: "x", op: "performed" }] } }] };
      expect(await point(last, hidden)).toMatchObject({ status: 422, body: { code: "audience_circle" } });
    }
    expect((await it.call("GET", `/api/v1/audiences/${last}`)).body.filter).toEqual(filter);
    expect((await it.call("GET", `/api/v1/audiences/${first}/members`)).status).toBe(200);
  });

  test("are refused when three changes at once would close one", async () => {
    for (let round = 0; round < 5; round++) {
      const ids = [await audience(), await audience(), await audience()];
      const next = (i: number) => ids[(i + 1) % 3] as string;
      const answers = await Promise.all(ids.map((id, i) => point(id, { audience: next(i) })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 422]);
      for (const id of ids) expect((await it.call("GET", `/api/v1/audiences/${id}/members`)).status).toBe(200);
    }
  });

  test("an audience can't be removed while another is created whose filter names it", async () => {
    for (let round = 0; round < 5; round++) {
      const inner = await audience();
      const [outer, removed] = await Promise.all([
        post("/audiences", { name: `Outer ${made++}`, filter: { audience: inner } }),
        it.call("DELETE", `/api/v1/audiences/${inner}`),
      ]);
      expect([`${outer.status} ${removed.status}`]).toEqual([expect.stringMatching(/^(201 409|400 204)$/)]);
    }
  });
});
