import type { LiveProgress, Task as ListedTask } from "@tidings/contract/live";
import { useEffect, useReducer } from "react";
import { useLive } from "../live/live.ts";
import { useRead } from "../platform/call/queries.ts";
import { isPaused, isRunning, moved, ofListed, type Task } from "./task.ts";

type Tasks = readonly Task[];
type Step = { listed: Tasks } | { told: LiveProgress; now: number } | { dismissed: string };

const isOpen = (task: Task): boolean => isRunning(task) || isPaused(task);

/** What is listed comes in, what is no longer listed has ended elsewhere, and what ended under our eyes stays until it is dismissed. */
function next(tasks: Tasks, step: Step): Tasks {
  if ("dismissed" in step) return tasks.filter(({ id }) => id !== step.dismissed);
  if ("told" in step) return tasks.map((task) => (task.id === step.told.id ? moved(task, step.told, step.now) : task));
  const listed = new Map(step.listed.map((task) => [task.id, task]));
  const kept = tasks.filter((task) => listed.has(task.id) || !isOpen(task));
  const known = new Set(kept.map(({ id }) => id));
  const renewed = kept.map((task) => {
    const now = listed.get(task.id);
    // The stream is ahead of the list; the list knows a new name, and a state that the stream did not tell.
    return (
      now && { ...now, marks: now.state === task.state ? task.marks : now.marks, done: Math.max(task.done, now.done) }
    );
  });
  return [...step.listed.filter(({ id }) => !known.has(id)), ...kept.map((task, i) => renewed[i] ?? task)];
}

/** What takes long in the workspace: broadcasts, people who are moved in campaigns, files, replays. Who reloads the page finds it again. */
export function useTasks(): { tasks: Tasks; dismiss: (id: string) => void } {
  const [tasks, step] = useReducer(next, []);
  const { data: answer } = useRead<{ data: ListedTask[] }>("/tasks");
  useEffect(() => {
    if (answer) step({ listed: answer.data.map((one) => ofListed(one, Date.now())) });
  }, [answer]);
  useLive("progress", (told) => step({ told, now: Date.now() }));
  return { tasks, dismiss: (id) => step({ dismissed: id }) };
}
