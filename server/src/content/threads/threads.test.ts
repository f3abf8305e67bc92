import { expect, test } from "vitest";
import { inThread, type RenderTurn } from "./threads.ts";

const render = (workspaceId: string, kind: RenderTurn["kind"], times = 500) => {
  const loop = { name: "body", source: `{% for a in (1..${times}) %}{{ a }}{% endfor %}`, html: true };
  return inThread({ parts: [loop], scope: { person: {}, trigger: {} } }, { workspaceId, kind });
};

/** Begins renders one after the other and says in which order they ended, and how. */
async function order(asked: [workspaceId: string, kind: RenderTurn["kind"]][], times?: number) {
  const ended: string[] = [];
  const all = asked.map(([workspaceId, kind]) =>
    render(workspaceId, kind, times).then(
      () => void ended.push(`${workspaceId} ${kind}`),
      (error) => void ended.push(`${workspaceId} ${kind} ${error.code}`),
    ),
  );
  await Promise.all(all);
  return ended;
}

test("120 previews of one workspace: eight wait and the rest are refused, and the triggers and previews of others go between", async () => {
  // The first render of each of the two threads takes far longer than the next ones.
  await Promise.all(Array.from({ length: 4 }, (_, i) => render(`warm ${i}`, "bulk")));
  const greedy = Array.from({ length: 120 }, () => ["greedy", "preview"] as ["greedy", "preview"]);
  // Each takes 16 ms, so that a thread which waits a moment for a core is not overtaken by ten renders of the other one.
  const ended = await order([...greedy, ["other", "preview"], ["other", "trigger"], ["third", "sending"]], 10_000);
  expect(ended.filter((one) => one === "greedy preview busy")).toHaveLength(111);
  const done = ended.filter((one) => !one.endsWith("busy"));
  expect(done).toHaveLength(12);
  // At most one of the greedy was under way when they came, and one may have begun in another's thread since.
  for (const one of ["other trigger", "third sending", "other preview"]) expect(done.indexOf(one)).toBeLessThan(6);
});

test("a workspace with many triggers leaves the next turn to another, and what is sent is never refused", async () => {
  const greedy = Array.from({ length: 60 }, () => ["greedy", "trigger"] as ["greedy", "trigger"]);
  const sending = Array.from({ length: 60 }, () => ["greedy", "sending"] as ["greedy", "sending"]);
  const ended = await order([...greedy, ...sending, ["other", "trigger"]]);
  expect(ended.filter((one) => one === "greedy sending")).toHaveLength(60);
  expect(ended.filter((one) => one.endsWith("busy")).length).toBeGreaterThan(0);
  const done = ended.filter((one) => !one.endsWith("busy"));
  expect(done.indexOf("other trigger")).toBeLessThan(8);
});
