import type { LiveProgress, Work as ListedWork } from "@tidings/contract/live";
import { useEffect, useReducer } from "react";
import { useLive } from "../live/live.ts";
import { useRead } from "../platform/call/queries.ts";
import { isPaused, isRunning, moved, ofListed, type Work } from "./work.ts";

type Works = readonly Work[];
type Step = { listed: Works } | { told: LiveProgress; now: number } | { dismissed: string };

const isOpen = (work: Work): boolean => isRunning(work) || isPaused(work);

/** What is listed comes in, what is no longer listed has ended elsewhere, and what ended under our eyes stays until it is dismissed. */
function next(works: Works, step: Step): Works {
  if ("dismissed" in step) return works.filter(({ id }) => id !== step.dismissed);
  if ("told" in step) return works.map((work) => (work.id === step.told.id ? moved(work, step.told, step.now) : work));
  const listed = new Map(step.listed.map((work) => [work.id, work]));
  const kept = works.filter((work) => listed.has(work.id) || !isOpen(work));
  const known = new Set(kept.map(({ id }) => id));
  const renewed = kept.map((work) => {
    const now = listed.get(work.id);
    // The stream is ahead of the list; the list knows a new name, and a state that the stream did not tell.
    return (
      now && { ...now, marks: now.state === work.state ? work.marks : now.marks, done: Math.max(work.done, now.done) }
    );
  });
  return [...step.listed.filter(({ id }) => !known.has(id)), ...kept.map((work, i) => renewed[i] ?? work)];
}

/** What takes long in the workspace: broadcasts, people who are moved in campaigns, files, replays. Who reloads the page finds it again. */
export function useWorks(): { works: Works; dismiss: (id: string) => void } {
  const [works, step] = useReducer(next, []);
  const { data: answer } = useRead<{ data: ListedWork[] }>("/works");
  useEffect(() => {
    if (answer) step({ listed: answer.data.map((one) => ofListed(one, Date.now())) });
  }, [answer]);
  useLive("progress", (told) => step({ told, now: Date.now() }));
  return { works, dismiss: (id) => step({ dismissed: id }) };
}
