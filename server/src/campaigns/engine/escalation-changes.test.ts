import { describe, expect, test } from "vitest";
import { email, escalatingEngine, HOUR, hours, push } from "../../../test/support/campaigns/escalating.ts";
import { encodeId } from "../../platform/ids.ts";

const { engine, it, sync, report, campaign, settle, forward, runOf, passed, alert, person, enter, told } =
  await escalatingEngine();

describe("while a message escalates", () => {
  test("a pause stops its time, and an impression meanwhile counts when the campaign is resumed", async () => {
    const of = await campaign([alert()]);
    const path = `/api/v1/campaigns/${encodeId("cmp", of.campaignId)}`;
    const [one, other] = [await enter(of), await enter(of)];
    await forward(HOUR);
    await it.call("POST", `${path}/pause`);
    await forward(10 * HOUR);
    const [shown] = await sync(other.who);
    await report(shown?.delivery_id ?? "", "impression", { person_id: other.who });
    await it.call("POST", `${path}/resume`);
    await settle();
    expect([await told(one.run), await told(other.run)]).toEqual([
      ["in_app sent"],
      ["in_app seen", "push canceled", "email canceled"],
    ]);
    await forward(HOUR - 1);
    expect(await told(one.run)).toEqual(["in_app sent"]);
    await forward(1);
    expect(await told(one.run)).toEqual(["in_app sent", "push sent"]);
  });

  test("a run that is skipped, ended or moved gets no more of its messages", async () => {
    const of = await campaign([alert(), { id: "rest", type: "wait", for: hours(1) }]);
    const path = `/api/v1/campaigns/${encodeId("cmp", of.campaignId)}/runs`;
    const [skipped, ended, moved] = [await enter(of), await enter(of), await enter(of)];
    const ask = (run: string, verb: string, body?: object) =>
      it.call("POST", `${path}/${encodeId("run", run)}/${verb}`, body ? { body } : {});
    await ask(skipped.run, "skip");
    await ask(ended.run, "end");
    await ask(moved.run, "move", { step_id: "rest" });
    await forward(48 * HOUR);
    for (const { run } of [skipped, ended, moved]) {
      expect(await told(run)).toEqual(["in_app sent"]);
      expect(await runOf(run)).toMatchObject({ escalation: null });
    }
    expect(await passed(ended.run)).toEqual(["alert exited ended"]);
  });

  test("a mended text reaches those to whom it was not sent yet, and a changed journey those who move", async () => {
    const of = await campaign([alert()]);
    const path = `/api/v1/campaigns/${encodeId("cmp", of.campaignId)}`;
    const { run } = await enter(of);
    const mended = { ...push, content: { title: "Mended", message: "m" } };
    const publish = async (own: object, inside?: string) => {
      await it.call("PATCH", path, { body: { steps: [alert(own)] } });
      const answer = await it.call("POST", `${path}/activate`, { body: inside ? { inside } : {} });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      await settle();
    };
    await publish({
      escalate: [
        { after: hours(2), ...mended },
        { after: hours(24), ...email },
      ],
    });
    await forward(2 * HOUR);
    expect(JSON.stringify(await engine.deliveries(of))).toContain("Mended");
    await publish(
      {
        escalate: [
          { after: hours(2), ...mended },
          { after: hours(3), ...email },
        ],
      },
      "move",
    );
    await forward(3 * HOUR);
    expect(await told(run)).toEqual(["in_app sent", "push sent", "email sent"]);
    expect(await passed(run)).toEqual(["alert passed"]);
  });

  test("after a merge an impression of the person who stays counts, and an erased person gets nothing more", async () => {
    const of = await campaign([alert()]);
    const [from, erased] = [await enter(of), await enter(of)];
    const into = await person();
    expect((await it.call("POST", `/api/v1/people/${from.who}/merge`, { body: { into } })).status).toBe(200);
    await it.call("DELETE", `/api/v1/people/${erased.who}`);
    const [shown] = await sync(into);
    await report(shown?.delivery_id ?? "", "impression", { person_id: into });
    await settle();
    expect(await told(from.run)).toEqual(["in_app seen", "push canceled", "email canceled"]);
    await forward(48 * HOUR);
    expect((await engine.deliveries(of)).filter(({ channel }) => channel !== "in_app")).toEqual([]);
  });
});
