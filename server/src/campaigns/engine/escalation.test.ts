import { describe, expect, test } from "vitest";
import {
  email,
  escalatingEngine,
  fork,
  HOUR,
  hours,
  push,
  type Row,
} from "../../../test/support/campaigns/escalating.ts";
import { until } from "../../../test/support/wait.ts";
import { sql } from "../../platform/db/index.ts";
import { decodeId, encodeId } from "../../platform/ids.ts";

// A message step that escalates, through the whole service: in-app, after 2 hours push, after another day email.

const {
  engine,
  it,
  clock,
  identify,
  sync,
  report,
  campaign,
  begin,
  settle,
  forward,
  runOf,
  passagesOf,
  passed,
  ground,
  popup,
  card,
  alert,
  enter,
  told,
  delivery,
  hear,
  status,
} = await escalatingEngine();

describe("a message that escalates", () => {
  test("goes to the next channel when its time is over, and the run stays until the last was sent", async () => {
    const of = await campaign([alert(), fork]);
    const { run, who } = await enter(of);
    expect(await runOf(run)).toMatchObject({ status: "active", step_id: "alert" });
    await forward(2 * HOUR - 1);
    expect(await told(run)).toEqual(["in_app sent"]);
    await forward(1);
    expect(await told(run)).toEqual(["in_app sent", "push sent"]);
    await forward(24 * HOUR - 1);
    expect(await told(run)).toEqual(["in_app sent", "push sent"]);
    await forward(1);
    expect(await told(run)).toEqual(["in_app sent", "push sent", "email sent"]);
    expect(await passed(run)).toEqual(["alert passed", "fork passed else"]);
    expect(await runOf(run)).toMatchObject({ status: "completed", escalation: null, escalated_at: null });
    const rows = await engine.deliveries(of);
    expect(rows.map(({ channel }) => channel)).toEqual(["in_app", "push", "email"]);
    expect(JSON.stringify(rows)).toContain("Order o1");
    const path = `/api/v1/campaigns/${encodeId("cmp", of.campaignId)}`;
    const { body } = await it.call("GET", `${path}/metrics`);
    expect(Object.keys(body.channels).sort()).toEqual(["email", "in_app", "push"]);
    expect(body.steps.alert).toMatchObject({ entered: 1, passed: 1, messages: { sent: 1, channels: body.channels } });
    const list = (query: string) =>
      it.call("GET", `/api/v1/deliveries?source_id=${encodeId("cmp", of.campaignId)}&${query}`);
    const { data } = (await list("step=alert")).body;
    expect(data.map((one: Row) => `${one.step_position} ${one.channel} ${one.step_id}`)).toEqual([
      "2 email alert",
      "1 push alert",
      "0 in_app alert",
    ]);
    expect((await list("step=fork")).body.data).toEqual([]);
    const log = await it.call("GET", `/api/v1/people/${who}/activity?type=push.queued`);
    expect(log.body.data).toMatchObject([{ source: "campaign", step_id: "alert" }]);
    await until(async () => {
      const [first] = (await it.call("GET", "/api/v1/events?types=email.queued")).body.data;
      return first?.data.person_id === who && first.data.step_id === "alert";
    }, "the event of the email");
    expect(await it.call("GET", "/api/v1/deliveries?step=alert")).toMatchObject({
      status: 400,
      body: { errors: [{ parameter: "step" }] },
    });
    expect(Object.keys((await it.call("GET", `${path}/metrics?channel=push`)).body.steps)).toEqual(["alert"]);
  });

  test("an impression wakes the run at once, and no other channel follows", async () => {
    const { who, run } = await enter(await campaign([alert(), fork]));
    const [shown] = await sync(who);
    await report(shown?.delivery_id ?? "", "impression", { person_id: who });
    await settle();
    expect(await passed(run)).toEqual(["alert passed", "fork passed then", "was exited exit"]);
    expect(await told(run)).toEqual(["in_app seen", "push canceled", "email canceled"]);
  });

  test("a click on the push takes back the in-app message that was not shown, and leaves one in the inbox", async () => {
    const [modal, inbox] = [await campaign([alert()]), await campaign([alert({ message_id: card })])];
    const [one, other] = [await enter(modal), await enter(inbox)];
    await forward(2 * HOUR);
    for (const { run } of [one, other]) await hear(await delivery(run, 1), "clicked");
    await settle();
    expect(await told(one.run)).toEqual(["in_app canceled", "push seen", "email canceled"]);
    expect(await told(other.run)).toEqual(["in_app sent", "push seen", "email canceled"]);
    expect(await status(await delivery(one.run, 0))).toBe("canceled seen_elsewhere");
    expect(await sync(one.who)).toEqual([]);
    expect(await sync(other.who)).toHaveLength(1);
  });

  test("an email that still waits to be sent is canceled when the message before it is clicked", async () => {
    const late = {
      id: "alert",
      escalate: [
        { after: hours(1), ...email },
        { after: hours(1), ...push },
      ],
    };
    const { who, run } = await enter(await campaign([alert(late)]));
    await forward(HOUR);
    const [mail, shown] = [await delivery(run, 1), await sync(who)];
    expect(await status(mail)).toBe("queued");
    await report(shown[0]?.delivery_id ?? "", "click", { person_id: who });
    await settle();
    expect(await told(run)).toEqual(["in_app seen", "email canceled", "push canceled"]);
    expect(await status(mail)).toBe("canceled seen_elsewhere");
    const { body } = await it.call("GET", `/api/v1/deliveries/${mail}`);
    expect(body.events.at(-1)).toMatchObject({ type: "email.canceled", data: { reason: "seen_elsewhere" } });
  });

  test("an open or a click of a machine is not seen", async () => {
    const first = { channel: "email", message_id: undefined, content: email.content };
    const { run } = await enter(await campaign([alert({ ...first, escalate: [{ after: hours(2), ...push }] })]));
    const mail = await delivery(run, 0);
    await hear(mail, "opened", { machine: true });
    await hear(mail, "clicked", { machine: true, at: new Date(clock.now().getTime() - 1) });
    await settle();
    await forward(2 * HOUR);
    expect(await told(run)).toEqual(["email sent", "push sent"]);
    expect(await passed(run)).toEqual(["alert passed"]);
  });

  test("a human open is seen, also where its wake-up was lost", async () => {
    const first = { channel: "email", message_id: undefined, content: email.content };
    const { run } = await enter(await campaign([alert({ ...first, escalate: [{ after: hours(2), ...push }] })]));
    await ground.db.execute(sql`
      update deliveries set opened_at = ${clock.now()} where id = ${decodeId("dlv", await delivery(run, 0))}`);
    await settle();
    expect(await runOf(run)).toMatchObject({ status: "active" });
    await forward(2 * HOUR);
    expect(await told(run)).toEqual(["email seen", "push canceled"]);
  });

  test("a channel that does not reach the person is followed at once, also when it bounces later", async () => {
    const ways = [
      { after: hours(1), ...email },
      { after: hours(1), ...push },
    ];
    const sms = { channel: "sms", message_id: undefined, content: { body: "Late" }, escalate: ways };
    const { run } = await enter(await campaign([alert(sms)]));
    expect(await told(run)).toEqual(["sms failed no_address", "email sent"]);
    await hear(await delivery(run, 1), "bounced", { permanent: true, reason: "no such mailbox" });
    await settle();
    expect(await told(run)).toEqual(["sms failed no_address", "email failed no such mailbox", "push sent"]);
    expect(await passed(run)).toEqual(["alert passed"]);
    await identify("nowhere");
    const nobody = await campaign([alert({ ...sms, on_failure: "exit" }), fork]);
    const [none = ""] = await begin(nobody, ["nowhere"]);
    await settle();
    expect(await passed(none)).toEqual(["alert failed no_address"]);
    expect(await told(none)).toEqual(["sms failed no_address", "email failed no_address", "push failed no_address"]);
  });

  test("with in-app off meanwhile the other channels go on, and the reason stays in the history", async () => {
    const second = {
      escalate: [
        { after: hours(1), channel: "in_app", message_id: popup },
        { after: hours(1), ...push },
        { after: hours(1), ...email },
      ],
    };
    const { run } = await enter(
      await campaign([alert({ ...second, channel: "sms", message_id: undefined, content: { body: "x" } })]),
    );
    expect(await told(run)).toEqual(["sms failed no_address", "in_app sent"]);
    await it.call("PATCH", "/api/v1/workspace", { body: { allow_in_app: false } });
    const { run: off } = await enter(await campaign([alert()]));
    expect(await told(off)).toEqual(["in_app failed in_app_disabled", "push sent"]);
    await forward(24 * HOUR);
    expect(await told(off)).toEqual(["in_app failed in_app_disabled", "push sent", "email sent"]);
    await it.call("PATCH", "/api/v1/workspace", { body: { allow_in_app: true } });
  });

  test("a held-out person gets none of the channels, and a variant is chosen for the step's own message only", async () => {
    const variants = [
      { name: "A", weight: 1, message_id: popup },
      { name: "B", weight: 1, message_id: card },
    ];
    const of = await campaign([alert({ message_id: undefined, variants, holdout_percent: 50 }), fork]);
    const runs = [];
    for (let i = 0; i < 12; i++) runs.push((await enter(of)).run);
    await forward(26 * HOUR);
    await forward(24 * HOUR);
    const rows = await Promise.all(
      runs.map(async (run) => (await passagesOf(run)).find((one) => one.step_id === "alert")),
    );
    const held = rows.filter((row) => row?.detail?.held_out);
    expect(held.length).toBeGreaterThan(0);
    expect(held.length).toBeLessThan(12);
    for (const row of held) expect(row).toMatchObject({ state: "passed", delivery_id: null });
    const got = rows.filter((row) => !row?.detail?.held_out);
    for (const row of got) expect(row?.detail).toMatchObject({ variant: expect.any(String), messages: { length: 3 } });
    const sent = await engine.deliveries(of);
    expect(sent).toHaveLength(3 * got.length);
    for (const { channel, variant } of sent) expect(variant === null).toBe(channel !== "in_app");
  });
});
