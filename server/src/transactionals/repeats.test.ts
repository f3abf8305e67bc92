import { describe, expect, test } from "vitest";
import { testClock } from "../../test/support/service.ts";
import { TRIGGER, transactionalsService } from "../../test/support/services/transactionals.ts";

const clock = testClock();
const { it, raw, identify, deliveries: queued } = await transactionalsService({ clock });
await identify("ada", { email: "ada@example.test" });

const call = (body: object, retry?: string, more: { key?: string; headers?: object } = {}) =>
  it.call("POST", TRIGGER, {
    ...(more.key && { key: more.key }),
    body,
    headers: { ...(retry !== undefined && { "x-retry-count": retry }), ...more.headers },
  });

describe("a call that is marked as a repeat", () => {
  test.each([undefined, "0"])(
    "gets the answer of the first call, whose X-Retry-Count is %s, and sends nothing",
    async (first) => {
      const body = raw({ subject: `Receipt after ${first}` });
      const answer = await call(body, first);
      expect(answer.status).toBe(202);
      const before = await queued();
      for (const retry of ["1", "2"]) {
        const again = await call(body, retry);
        expect([again.status, again.body]).toEqual([202, answer.body]);
        expect(again.headers["idempotent-replayed"]).toBe("true");
      }
      expect(await queued()).toBe(before);
    },
  );

  test("gets the answer of a first call that is still running", async () => {
    const body = raw({ subject: "At once" });
    const [first, second] = await Promise.all([call(body), call(body, "1")]);
    expect(second.body).toEqual(first.body);
  });

  test("is carried out if there was no first call", async () => {
    const answer = await call(raw({ subject: "Lost on the way here" }), "1");
    expect(answer.status).toBe(202);
    expect(answer.headers["idempotent-replayed"]).toBeUndefined();
  });

  test("is not mixed up with a call of another body, key or route, or with one that is not marked", async () => {
    const body = raw({ subject: "Mine" });
    const first = await call(body);
    const other = await it.call("POST", "/api/v1/api-keys", { body: { kind: "secret" } });
    const answers = [
      await call(body),
      await call({ ...body, subject: "Other" }, "1"),
      await call(body, "1", { key: other.body.key }),
      await call({ ...body, attachments: { "a.txt": "YQ==" } }, "1"),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(202);
      expect(answer.body.delivery_id).not.toBe(first.body.delivery_id);
    }
  });

  test("is a new call after ten minutes", async () => {
    const body = raw({ subject: "Late" });
    const first = await call(body);
    clock.forward(10 * 60_000);
    expect((await call(body, "1")).body.delivery_id).not.toBe(first.body.delivery_id);
  });

  test("gets the first answer for a person whom the first call created, and for a suppressed one", async () => {
    const fresh = raw({ identifiers: { email: "New@example.test" }, subject: "Welcome" });
    expect((await call(fresh, "1")).body).toEqual((await call(fresh, "2")).body);
    const body = { channel: "email", address: "gone@example.test", reason: "manual" };
    await it.call("POST", "/api/v1/suppressions", { body });
    const gone = raw({ identifiers: { email: "gone@example.test" } });
    const first = await call(gone);
    expect(first.body.status).toBe("suppressed");
    expect((await call(gone, "1")).body).toEqual(first.body);
  });

  test("of a batch sends nothing again", async () => {
    const items = ["a", "b", "a"].map((subject) => ({ channel: "email", ...raw({ subject }) }));
    const post = (retry?: string) =>
      it.call("POST", "/data-gateway/transactionals/batch", {
        body: { items: [...items, { channel: "fax" }] },
        headers: { ...(retry && { "x-retry-count": retry }) },
      });
    const first = await post();
    const ids = first.body.results.map((one: { delivery_id?: string }) => one.delivery_id);
    expect(new Set(ids).size, JSON.stringify(first.body)).toBe(4);
    const before = await queued();
    const again = await post("1");
    expect(again.body).toEqual(first.body);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(await queued()).toBe(before);
  });

  test("costs an unmarked call no statement", async () => {
    const { db } = it.service.ground;
    const seen: string[] = [];
    const query = db.query;
    db.query = ((statement: { text: string }) => {
      // What is remembered for a second may be read anew between two of the calls.
      if (!/from (api_keys|providers)\b/.test(statement.text)) seen.push(statement.text);
      return query.call(db, statement as never);
    }) as never;
    await call(raw({ subject: "Plain" }));
    seen.length = 0;
    await call(raw({ subject: "Plain" }));
    const plain = seen.length;
    await call(raw({ subject: "Plain" }), "1");
    db.query = query;
    expect(plain).toBeGreaterThan(0);
    expect(seen.length - plain).toBe(plain + 1);
    expect(seen.filter((text) => text.includes("from deliveries"))).toHaveLength(1);
  });
});
