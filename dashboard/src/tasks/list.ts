import type { LiveProgress } from "@tidings/contract/live";
import { isPaused, isRunning, moved, type Task } from "./task.ts";

type Tasks = readonly Task[];
type Step =
  | { listed: Tasks; now: number }
  | { told: LiveProgress; now: number }
  | { dismissed: string }
  | { expired: number };

const isOpen = (task: Task): boolean => isRunning(task) || isPaused(task);
/** The stream tells an end up to a second after the list may lack the task. After this time it has ended where nobody told it. */
const TOLD_MS = 5_000;

/** What is listed comes in, what is no longer listed waits for the stream to say how it ended, and stays then until it is dismissed. */
export function next(tasks: Tasks, step: Step): Tasks {
  if ("dismissed" in step) return tasks.filter(({ id }) => id !== step.dismissed);
  if ("expired" in step) return tasks.filter(({ goneAt }) => goneAt === undefined || step.expired - goneAt < TOLD_MS);
  if ("told" in step) return tasks.map((task) => (task.id === step.told.id ? moved(task, step.told, step.now) : task));
  const listed = new Map(step.listed.map((task) => [task.id, task]));
  const known = new Set(tasks.map(({ id }) => id));
  const kept = tasks.map((task): Task => {
    const now = listed.get(task.id);
    if (!now) return isOpen(task) ? { ...task, goneAt: task.goneAt ?? step.now } : task;
    // A campaign or an endpoint that had ended works on something else now.
    if (!isOpen(task)) return now;
    // The stream is ahead of the list; the list knows a new name, and a state that the stream did not tell.
    return { ...now, marks: now.state === task.state ? task.marks : now.marks, done: Math.max(task.done, now.done) };
  });
  return [...step.listed.filter(({ id }) => !known.has(id)), ...kept];
}
