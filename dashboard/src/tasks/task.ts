import type { LiveProgress, Task as ListedTask } from "@tidings/contract/live";
import { type Mark, marked, secondsLeft } from "./pace.ts";

/** Something that takes long. */
export interface Task extends Pick<ListedTask, "type" | "id" | "name" | "target"> {
  state: string;
  done: number;
  /** Null while it is not known. */
  total: number | null;
  /** As the service says, when it was asked. */
  left: { seconds: number; at: number } | undefined;
  marks: readonly Mark[];
  /** Since when the list does not have it, while the stream has not told how it ended. */
  goneAt: number | undefined;
}

const RUNS = new Set(["sending", "running", "moving", "ending"]);
export const isRunning = ({ state }: Pick<Task, "state">): boolean => RUNS.has(state);
export const isPaused = ({ state }: Pick<Task, "state">): boolean => state === "paused";

/** A campaign is as active as before when its people were moved: its task has ended when it has no progress. */
const stateOf = ({ type, status, progress }: LiveProgress): string =>
  type === "campaigns" ? String(progress?.kind ?? "done") : status;

type Numbers = Record<string, number | null | undefined>;

function numbersOf({ progress }: LiveProgress, now: number) {
  const { done, total, bytes, bytes_read, seconds_left: seconds } = (progress ?? {}) as Numbers;
  return {
    done: done ?? bytes_read ?? 0,
    total: total ?? bytes ?? null,
    left: typeof seconds === "number" ? { seconds, at: now } : undefined,
  };
}

/** Returns the task that `GET /tasks` lists. */
export function ofListed(listed: ListedTask, now: number): Task {
  const { type, id, name, target, started_at } = listed;
  const { done, total, left } = numbersOf(listed, now);
  // Its beginning is known, so also who has just come learns the pace. That of a broadcast says nothing: it may have been paused since.
  const begun = type !== "broadcasts" && started_at !== null ? [{ at: Date.parse(started_at), done: 0 }] : [];
  const marks = started_at === null ? [] : marked(begun, { at: now, done });
  return { type, id, name, target, state: stateOf(listed), done, total, left, marks, goneAt: undefined };
}

/** Returns the task after what the stream told of it. */
export function moved(task: Task, told: LiveProgress, now: number): Task {
  const numbers = numbersOf(told, now);
  const state = stateOf(told);
  const total = numbers.total ?? task.total;
  const done = told.progress ? numbers.done : (total ?? task.done);
  // What was done before a pause says nothing about the pace after it.
  const before = task.state === state ? task.marks : [];
  return {
    ...task,
    state,
    done,
    total,
    left: numbers.left,
    marks: marked(before, { at: now, done }),
    goneAt: undefined,
  };
}

/** The service tells it each second. What it said before a silence is not true any more. */
const SILENT_MS = 10_000;

/** Returns how many seconds are left: what the service says, or what the pace does. Undefined where nobody knows. */
export function leftOf(task: Task, now: number): number | undefined {
  if (!isRunning(task)) return undefined;
  if (task.left && now - task.left.at < SILENT_MS)
    return Math.max(0, Math.round(task.left.seconds - (now - task.left.at) / 1_000));
  return task.total === null ? undefined : secondsLeft(task.marks, task.total, now);
}

/** From 0 to 1; undefined while the whole is not known. */
export function shareOf({ done, total, state }: Task): number | undefined {
  if (state === "sent" || state === "done") return 1;
  return total === null || total === 0 ? undefined : Math.min(1, done / total);
}
