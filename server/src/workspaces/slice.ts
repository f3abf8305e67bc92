import type { AudienceUser } from "@tidings/contract/audience/audiences";
import type { Channel, Source } from "@tidings/contract/facts/activity";
import type { ScreenUser } from "@tidings/contract/facts/screens";
import type { InAppMessageUser } from "@tidings/contract/inapp/definition";
import type { LiveProgress, Task } from "@tidings/contract/live";
import type { ImageUser } from "@tidings/contract/messages/media";
import type { Heard, Queries } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import type { App } from "../platform/http/index.ts";
import type { OtherThread } from "../platform/threads/other-thread.ts";
import type { Job } from "../platform/work/jobs.ts";
import type { CallerRef } from "./keys/keys-store.ts";
import type { Held } from "./tenant/held.ts";

/**
 * The parts of a slice for the roof. The roof has one list of these records and connects them.
 * `G` is the ground with the state that the slice keeps in a process, or the questions that it asks other slices.
 */
export interface Slice<G extends Ground = Ground> {
  /** The name of its folder. */
  name: string;
  /** Mounts its routes of the data gateway, which applications and back ends call. */
  gateway?: (app: App, ground: G) => void;
  /** Mounts its routes of the product API, which the dashboard and automation call. */
  product?: (app: App, ground: G) => void;
  /** Mounts its routes without a key: for recipients, whose signed link says who they are, and for providers, who sign their calls. */
  pages?: (app: App, ground: G) => void;
  /** Its scheduled work. */
  jobs?: (ground: G) => Job[];
  /** Starts work that runs all the time, in processes with the role `worker`. */
  start?: (ground: G) => Started;
  /** Connects requests with its background work, in the thread that answers them while another one does that work. */
  startBeside?: (ground: G, other: OtherThread) => Started;
  /** Finds the resources of this slice that use a resource of another slice. The other slice asks before it changes or removes its own. */
  users?: Partial<Users>;
  /** Finds what uses screens. */
  screenUsers?: ScreenUsers;
  /** Names the sources of messages, and in-app messages. */
  namesOf?: NamesOf;
  /** Says how far the work of its resources is. */
  progressOf?: ProgressOf;
  /** Lists its work that takes long. */
  tasksOf?: TasksOf;
  /** Finds those of its credentials that are still valid: open streams end with theirs. */
  validCallers?: ValidCallers;
  /** What it listens to, see `Announcements`. */
  hears?: (ground: G) => Heard[];
  /** The tables in which it holds something of people. */
  holds?: Held[];
  /** Adds what its own tables say about a person to their log. */
  logOf?: LogOf;
}

/** Background work under way. */
export interface Started {
  /** Finishes or releases what is under way. */
  stop(): Promise<void>;
}

/** Finds the users of a resource by its id: their names, for templates also their kind, and what the API shows for messages and audiences. */
export interface Users {
  topic: UsersOf<string>;
  template: UsersOf<TemplateUser>;
  /** An in-app message. */
  message: UsersOf<InAppMessageUser>;
  audience: UsersOf<AudienceUser>;
  /** An image, by the part of its address that it shares with its thumbnail: whatever has this text shows it. */
  image: UsersOf<ImageUser>;
}

/** Something that sends a template. Its kind says what the content may read. */
interface TemplateUser {
  source: Exclude<Source, "test">;
  name: string;
}

type UsersOf<T> = (q: Queries, workspaceId: string, id: string) => Promise<T[]>;

/** Returns what uses each of these screens, by their names. */
type ScreenUsers = (q: Queries, workspaceId: string, names: string[]) => Promise<Map<string, ScreenUser[]>>;

/** Returns the names of sources and in-app messages by their ids on the wire, such as `bc_...`; others and unknown ones are left out. */
export type NamesOf = (q: Queries, workspaceId: string, ids: Iterable<string>) => Promise<Map<string, string>>;

/** Returns how far the work of a resource is, by its id on the wire; undefined if the id is not of this slice, or has no work. */
export type ProgressOf = (q: Queries, workspaceId: string, id: string, now: Date) => Promise<LiveProgress | undefined>;

/** Returns the work of a workspace that takes long and has not ended. */
export type TasksOf = (q: Queries, workspaceId: string, now: Date) => Promise<Task[]>;

/** Returns those of these callers that may still call. */
export type ValidCallers = (q: Queries, callers: CallerRef[], now: Date) => Promise<CallerRef[]>;

/** An entry of a person's log that a slice reads from its own table. */
export interface LogEntry {
  id: string;
  type: string;
  at: Date;
  source: Source | null;
  source_id: string | null;
  data: Record<string, unknown>;
}

/** The entries of a person's log to return, the latest first. `before` is the time and id of the last entry before this page. */
export interface LogPage {
  channel: Channel | undefined;
  /** Whether entries of a type are asked for. */
  wants(type: string): boolean;
  since: Date | undefined;
  until: Date | undefined;
  before: string[] | undefined;
  limit: number;
}
export type LogOf = (q: Queries, personKey: string, page: LogPage) => Promise<LogEntry[]>;

/** The questions that all slices answer together. */
export interface Connected {
  usersOf: Users;
  screenUsers: ScreenUsers;
  namesOf: NamesOf;
  held: Held[];
  logOf: LogOf;
  progressOf: ProgressOf;
  tasksOf: TasksOf;
  validCallers: ValidCallers;
}

/** The ground of a slice that asks the slices above it. */
export interface ConnectedGround extends Ground {
  slices: Connected;
}

/** Connects the slices: each question goes to all slices that answer it, from the top of the house to the bottom. */
export function connect(
  slices: Pick<
    Slice,
    "users" | "screenUsers" | "namesOf" | "holds" | "logOf" | "progressOf" | "tasksOf" | "validCallers"
  >[],
): Connected {
  const fromTop = slices.toReversed();
  const usersIn =
    <K extends keyof Users>(thing: K) =>
    async (q: Queries, workspaceId: string, id: string) => {
      const answers = [];
      for (const { users } of fromTop) answers.push(...((await users?.[thing]?.(q, workspaceId, id)) ?? []));
      return answers;
    };
  return {
    usersOf: {
      topic: usersIn("topic"),
      template: usersIn("template"),
      message: usersIn("message"),
      audience: usersIn("audience"),
      image: usersIn("image"),
    } as Users,
    async screenUsers(q, workspaceId, names) {
      const found = new Map<string, ScreenUser[]>();
      for (const { screenUsers } of fromTop)
        for (const [name, users] of (await screenUsers?.(q, workspaceId, names)) ?? [])
          found.set(name, [...(found.get(name) ?? []), ...users]);
      return found;
    },
    async namesOf(q, workspaceId, ids) {
      const asked = [...new Set(ids)];
      const found = new Map<string, string>();
      for (const { namesOf } of fromTop)
        for (const [id, name] of (await namesOf?.(q, workspaceId, asked)) ?? []) found.set(id, name);
      return found;
    },
    held: slices.flatMap(({ holds = [] }) => holds),
    async progressOf(q, workspaceId, id, now) {
      for (const { progressOf } of fromTop) {
        const progress = await progressOf?.(q, workspaceId, id, now);
        if (progress) return progress;
      }
      return undefined;
    },
    async tasksOf(q, workspaceId, now) {
      const tasks: Task[] = [];
      for (const { tasksOf } of fromTop) tasks.push(...((await tasksOf?.(q, workspaceId, now)) ?? []));
      return tasks;
    },
    async validCallers(q, callers, now) {
      const valid: CallerRef[] = [];
      for (const { validCallers } of slices) valid.push(...((await validCallers?.(q, callers, now)) ?? []));
      return valid;
    },
    async logOf(q, personKey, page) {
      const entries: LogEntry[] = [];
      for (const { logOf } of fromTop) entries.push(...((await logOf?.(q, personKey, page)) ?? []));
      return entries;
    },
  };
}
