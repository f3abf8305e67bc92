import type { Import as ImportShape } from "@tidings/contract/imports";
import type { LiveProgress } from "@tidings/contract/live";
import type { Static } from "typebox";
import { type Mark, marked, secondsLeft } from "./pace.ts";

type Import = Static<typeof ImportShape>;

/** A broadcast as its list has it: what is needed of it here. */
export interface SentBroadcast {
  id: string;
  name: string;
  status: string;
  started_at: string | null;
  progress: { total: number | null; done: number; seconds_left: number | null };
}

/** Something that takes long. */
export interface Work {
  kind: "broadcasts" | "imports";
  id: string;
  /** Of a broadcast. An import is named after what it is read into. */
  name: string | undefined;
  /** The audience into which a file is imported. */
  target?: string | null;
  status: string;
  done: number;
  /** Null while it is not known. */
  total: number | null;
  /** As the service says, when it was asked. */
  left: { seconds: number; at: number } | undefined;
  marks: readonly Mark[];
}

const RUNS = new Set(["sending", "running"]);
export const isRunning = ({ status }: Pick<Work, "status">): boolean => RUNS.has(status);
export const isPaused = ({ status }: Pick<Work, "status">): boolean => status === "paused";

export function ofBroadcast({ id, name, status, progress, started_at }: SentBroadcast, now: number): Work {
  const { total, done, seconds_left: seconds } = progress;
  return {
    kind: "broadcasts",
    id,
    name,
    status,
    done,
    total,
    left: seconds === null ? undefined : { seconds, at: now },
    marks: started_at ? [{ at: now, done }] : [],
  };
}

export function ofImport({ id, kind, target, status, bytes, bytes_read, started_at }: Import, now: number): Work {
  return {
    kind: "imports",
    id,
    name: kind,
    target,
    status,
    done: bytes_read,
    total: bytes,
    left: undefined,
    // Its beginning is known, so also who has just come learns the pace.
    marks: marked([{ at: Date.parse(started_at), done: 0 }], { at: now, done: bytes_read }),
  };
}

/** Returns the work after what the stream told of it. */
export function moved(work: Work, { status, progress }: LiveProgress, now: number): Work {
  const numbers = (progress ?? {}) as Record<string, number | null | undefined>;
  const done = numbers.done ?? numbers.bytes_read ?? work.done;
  const total = numbers.total ?? numbers.bytes ?? work.total;
  const seconds = numbers.seconds_left;
  // What was done before a pause says nothing about the pace after it.
  const before = work.status === status ? work.marks : [];
  return {
    ...work,
    status,
    done,
    total,
    left: typeof seconds === "number" ? { seconds, at: now } : undefined,
    marks: marked(before, { at: now, done }),
  };
}

/** The service tells it each second. What it said before a silence is not true any more. */
const SILENT_MS = 10_000;

/** Returns how many seconds are left: what the service says, or what the pace does. Undefined where nobody knows. */
export function leftOf(work: Work, now: number): number | undefined {
  if (!isRunning(work)) return undefined;
  if (work.left && now - work.left.at < SILENT_MS)
    return Math.max(0, Math.round(work.left.seconds - (now - work.left.at) / 1_000));
  return work.total === null ? undefined : secondsLeft(work.marks, work.total, now);
}

/** From 0 to 1; undefined while the whole is not known. */
export function shareOf({ done, total, status }: Work): number | undefined {
  if (status === "sent" || status === "done") return 1;
  return total === null || total === 0 ? undefined : Math.min(1, done / total);
}
