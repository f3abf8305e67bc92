import { describe, expect, test } from "vitest";
import { inAppService, MESSAGES } from "../../../test/support/services/in-app.ts";

const { clock, it, identify, define, send, sync, report } = await inAppService();

describe("interactions", () => {
  test("a one-time message is shown once, a click or dismiss without an impression counts as one", async () => {
    await identify("once");
    const message = await define({ cta: { label: "OK", action: "dismiss" } });
    const [a, b, c] = [await send(message, "once"), await send(message, "once"), await send(message, "once")];
    expect((await report(a, "impression", { person_id: "once" })).body).toMatchObject({
      status: "shown",
      recorded: true,
    });
    expect((await report(a, "impression", { person_id: "once" })).body).toMatchObject({
      status: "shown",
      recorded: false,
    });
    expect((await report(b, "click", { person_id: "once", action_id: "other" })).body).toMatchObject({
      status: "shown",
    });
    expect((await report(c, "click", { person_id: "once" })).body).toMatchObject({ status: "dismissed" });
    expect(await sync("once")).toEqual([]);
    for (const id of [b, c]) {
      expect((await it.call("GET", `/api/v1/deliveries/${id}`)).body).toMatchObject({ impressions: 1 });
    }
  });

  test("50 parallel impressions never pass max_impressions", async () => {
    await identify("parallel");
    const message = await define({ persistence: { mode: "persistent_until_dismissed", max_impressions: 3 } });
    const delivery = await send(message, "parallel");
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => report(delivery, "impression", { person_id: "parallel" })),
    );
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    expect(answers.filter((answer) => answer.body.recorded)).toHaveLength(3);
    const row = (await it.call("GET", `/api/v1/deliveries/${delivery}`)).body;
    expect(row.impressions).toBe(3);
    expect(row.events.filter((event: { type: string }) => event.type === "in_app.impression")).toHaveLength(3);
    expect(await sync("parallel")).toEqual([]);
  });

  test("a repeated Idempotency-Key counts once, also in parallel", async () => {
    await identify("keyed");
    const message = await define({ persistence: { mode: "persistent_until_dismissed" } });
    const delivery = await send(message, "keyed");
    const once = () => report(delivery, "impression", { person_id: "keyed" }, { "idempotency-key": "k1" });
    const answers = await Promise.all([once(), once(), once(), once()]);
    expect(answers.filter((answer) => answer.body.recorded)).toHaveLength(1);
    expect((await once()).body).toEqual({ delivery_id: delivery, status: "shown", recorded: false });
    expect((await it.call("GET", `/api/v1/deliveries/${delivery}`)).body.impressions).toBe(1);
  });

  test("the batch answers each item, counts an event_id once, and accepts late reports without returning to an earlier state", async () => {
    await identify("offline");
    const message = await define({ persistence: { mode: "persistent_until_dismissed" } });
    const [a, b] = [await send(message, "offline"), await send(message, "offline")];
    await report(b, "dismiss", { person_id: "offline" });
    const items = [
      { delivery_id: a, type: "impression", event_id: "e1", ts: clock.now().toISOString() },
      { delivery_id: a, type: "impression", event_id: "e1" },
      { delivery_id: a, type: "click", event_id: "e2", action_id: null, ts: "" },
      { delivery_id: b, type: "impression", event_id: "e3" },
      { delivery_id: "dlv_00000000000000000000000000", type: "click", event_id: "e4" },
      { delivery_id: a, type: "explode", event_id: "e5" },
      { delivery_id: a, type: "click", event_id: "e6", ts: "yesterday" },
      { type: "click" },
    ];
    const body = { person_id: "offline", items };
    const answer = await it.call("POST", `${MESSAGES}/interactions`, { key: it.publicKey, body });
    expect(answer.body.results).toEqual([
      { event_id: "e1", status: "shown", recorded: true },
      { event_id: "e1", status: "shown", recorded: false },
      { event_id: "e2", status: "shown", recorded: true },
      { event_id: "e3", status: "dismissed", recorded: false },
      { event_id: "e4", status: null, recorded: false, code: "delivery_not_found" },
      { event_id: "e5", status: null, recorded: false, code: "invalid_request" },
      { event_id: "e6", status: null, recorded: false, code: "invalid_request" },
      { event_id: null, status: null, recorded: false, code: "invalid_request" },
    ]);
    const again = await it.call("POST", `${MESSAGES}/interactions`, { key: it.publicKey, body });
    expect(again.body.results.map((one: { recorded: boolean }) => one.recorded)).toEqual(Array(8).fill(false));
    expect((await it.call("GET", `/api/v1/deliveries/${a}`)).body).toMatchObject({ impressions: 1, status: "shown" });
    expect((await it.call("GET", `/api/v1/deliveries/${b}`)).body).toMatchObject({
      impressions: 1,
      status: "dismissed",
    });
  });

  test("an impression that its own click already implied is not counted again, in single reports, in a batch and over calls", async () => {
    await identify("order");
    const message = await define({ persistence: { mode: "persistent_until_dismissed" } });
    const at = (seconds: number) => new Date(clock.now().getTime() - 60_000 + seconds * 1_000).toISOString();
    const shown = { type: "impression", ts: at(1) };
    const clicked = { type: "click", ts: at(2) };
    const again = { type: "impression", ts: at(3) };
    for (const reports of [
      [shown, clicked, again],
      [clicked, shown, again],
      [again, clicked, shown],
      [clicked, again, shown],
    ]) {
      const [single, batch, calls] = [
        await send(message, "order"),
        await send(message, "order"),
        await send(message, "order"),
      ];
      const items = reports.map((one, i) => ({ ...one, delivery_id: batch, event_id: `${batch} ${i}` }));
      const all = (some: object[]) =>
        it.call("POST", `${MESSAGES}/interactions`, { body: { person_id: "order", items: some } });
      await all(items);
      for (const { type, ts } of reports) await report(single, type, { person_id: "order", ts });
      for (const item of items) await all([{ ...item, delivery_id: calls }]);
      // A repeat of the impression that was implied is known, and does not count as another one.
      for (const item of items) {
        const [result] = (await all([item])).body.results;
        expect(result).toMatchObject({ recorded: false });
      }
      for (const id of [single, batch, calls])
        expect((await it.call("GET", `/api/v1/deliveries/${id}`)).body, JSON.stringify(reports)).toMatchObject({
          impressions: 2,
        });
    }
    const untimed = await send(message, "order");
    await report(untimed, "dismiss", { person_id: "order" });
    expect((await report(untimed, "impression", { person_id: "order" })).body).toEqual({
      delivery_id: untimed,
      status: "dismissed",
      recorded: false,
    });
  });

  test("another person's or workspace's delivery, an email's id and a wrong id are 404", async () => {
    await identify("mine");
    await identify("theirs");
    const delivery = await send(await define(), "theirs");
    const other = await it.another();
    const tries = [
      await report(delivery, "dismiss", { person_id: "mine" }),
      await report("dlv_00000000000000000000000000", "dismiss", { person_id: "mine" }),
      await report("nonsense", "dismiss", { person_id: "mine" }),
      await it.call("POST", `${MESSAGES}/${delivery}/dismiss`, { key: other.publicKey, body: { person_id: "theirs" } }),
    ];
    for (const answer of tries) expect(answer).toMatchObject({ status: 404, body: { code: "delivery_not_found" } });
    expect(await sync("theirs")).toHaveLength(1);
  });

  test("ts is kept for the log where it can be true", async () => {
    await identify("late");
    const message = await define({ persistence: { mode: "persistent_until_dismissed" } });
    const delivery = await send(message, "late");
    const now = clock.now().getTime();
    const ago = (ms: number) => new Date(now - ms).toISOString();
    for (const ts of [ago(3_600_000), ago(-10 * 60_000), ago(8 * 86_400_000)]) {
      expect((await report(delivery, "click", { person_id: "late", ts })).status).toBe(200);
    }
    const row = (await it.call("GET", `/api/v1/deliveries/${delivery}`)).body;
    const times = row.events
      .filter((e: { type: string }) => e.type === "in_app.click")
      .map((e: { at: string }) => e.at);
    expect(times.sort()).toEqual([ago(3_600_000), ago(0), ago(0)]);
    expect(row.clicked_at).toBe(ago(0));
  });
});
