import type { AudienceUser } from "@tidings/contract/audience/audiences";
import type { Heard, Queries } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import type { App } from "../platform/http/index.ts";
import type { Job } from "../platform/work/jobs.ts";
import type { Held } from "./tenant/held.ts";

/**
 * What a slice gives to the roof. The roof has one list of these records and connects them; it names no slice besides.
 * `G` is the ground with what the slice keeps in a process, or asks of other slices.
 */
export interface Slice<G extends Ground = Ground> {
  /** The name of its folder. */
  name: string;
  /** Mounts its routes of the data gateway, which applications and back ends call. */
  gateway?: (app: App, ground: G) => void;
  /** Mounts its routes of the product API, which the dashboard and automation call. */
  product?: (app: App, ground: G) => void;
  /** Mounts what is called without a key: by recipients, whose signed link says who they are, and by providers, who sign. */
  pages?: (app: App, ground: G) => void;
  /** Work that runs by the clock. */
  jobs?: (ground: G) => Job[];
  /** Starts work that runs all the time, in processes with the role `worker`. */
  start?: (ground: G) => Started;
  /** What in this slice uses a thing of another slice, by the thing's id. The other slice asks before it changes or removes it. */
  users?: Partial<Users>;
  /** Names what sends messages. */
  nameOf?: NameOf;
  /** What it listens to, see `Announcements`. */
  hears?: (ground: G) => Heard[];
  /** The tables in which it holds something of people. */
  holds?: Held[];
}

/** Background work under way. */
export interface Started {
  /** Finishes or releases what is under way. */
  stop(): Promise<void>;
}

/** What uses a thing, by the thing's id. Topics and templates are told names; audiences are told what their API shows. */
export interface Users {
  topic: UsersOf<string>;
  template: UsersOf<string>;
  audience: UsersOf<AudienceUser>;
}
type UsersOf<T> = (q: Queries, workspaceId: string, id: string) => Promise<T[]>;

/** The name of what sends messages, by its id on the wire, such as `bc_...`; undefined where the id is of something else. */
export type NameOf = (q: Queries, workspaceId: string, id: string) => Promise<string | undefined>;

/** What all slices answer together. */
export interface Connected {
  usersOf: Users;
  nameOf: NameOf;
  held: Held[];
}

/** The ground of a slice that asks the slices above it. */
export interface ConnectedGround extends Ground {
  slices: Connected;
}

/** Connects the slices: each question goes to all that answer it, from the top of the house to the bottom. */
export function connect(slices: Pick<Slice, "users" | "nameOf" | "holds">[]): Connected {
  const fromTop = slices.toReversed();
  const ask =
    <K extends keyof Users>(thing: K) =>
    async (q: Queries, workspaceId: string, id: string) => {
      const answers = [];
      for (const { users } of fromTop) answers.push(...((await users?.[thing]?.(q, workspaceId, id)) ?? []));
      return answers;
    };
  return {
    usersOf: { topic: ask("topic"), template: ask("template"), audience: ask("audience") } as Users,
    async nameOf(q, workspaceId, id) {
      for (const { nameOf } of fromTop) {
        const name = await nameOf?.(q, workspaceId, id);
        if (name !== undefined) return name;
      }
      return undefined;
    },
    held: slices.flatMap(({ holds = [] }) => holds),
  };
}
