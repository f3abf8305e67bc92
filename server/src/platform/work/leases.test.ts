import { pino } from "pino";
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { testDatabase } from "../../../test/support/database.ts";
import { until } from "../../../test/support/wait.ts";
import { openDb, sql } from "../db/index.ts";
import { fairShare } from "../limits/fair-share.ts";
import type { Signals } from "../signals/index.ts";
import { isOurs, type Lease, Leases, writeEnd } from "./leases.ts";
import { startLoop } from "./loop.ts";
import { Room, type Sharer } from "./room.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("leases that are held", () => {
  /** Leases of numbers, whose work ends when the test says so. */
  function held(renew?: (items: number[]) => Promise<number[]>) {
    const released: number[] = [];
    const release = async (items: number[]) => released.push(...items);
    const leases = new Leases<number>({ seconds: 60, release, ...(renew && { renew }) });
    onTestFinished(() => leases.stop(0));
    const work = new Map<number, { held: Lease<number>; end: () => void }>();
    const hold = (item: number, begun = false, since = performance.now()) =>
      leases.hold(item, since, (held) => {
        held.begun = begun;
        return new Promise((end) => work.set(item, { held, end }));
      });
    const of = (item: number) => work.get(item) as { held: Lease<number>; end: () => void };
    return { leases, released, hold, of };
  }

  test("a stop gives back items whose work has not begun, and waits for the others", async () => {
    const { leases, released, hold, of } = held();
    hold(1, true);
    hold(2);
    hold(3);
    of(3).end();
    await turn();
    let stopped = false;
    const stop = leases.stop(600_000).then(() => {
      stopped = true;
    });
    of(2).end();
    await turn();
    expect([released, stopped]).toEqual([[2], false]);
    expect([isOurs(of(1).held, 0), isOurs(of(2).held, 0)]).toEqual([true, false]);
    of(1).end();
    await stop;
  });

  test("a stop waits for no longer than its grace", async () => {
    const { leases, hold } = held();
    hold(1, true);
    await leases.stop(10);
  });

  test("items that a claim returns after the stop are given back at once", async () => {
    const { leases, released } = held();
    const answer = Promise.withResolvers<number[]>();
    const claim = leases.claim(() => answer.promise);
    await leases.stop(0);
    answer.resolve([1, 2]);
    expect((await claim).items).toEqual([]);
    expect(released).toEqual([1, 2]);
  });

  test("some of the items that have not begun can be given back, once", async () => {
    const { leases, released, hold, of } = held();
    for (const item of [1, 2, 3]) hold(item, item === 1);
    const idle = leases.idle();
    expect(idle.map(({ item }) => item)).toEqual([2, 3]);
    of(3).held.begun = true;
    await leases.giveBack(idle);
    await leases.giveBack(idle);
    expect(released).toEqual([2]);
  });

  test("leases are renewed while they are held, and an item that another process has is lost", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const renewed: number[][] = [];
    const { hold, of } = held(async (items) => {
      renewed.push(items);
      return items.filter((item) => item !== 2);
    });
    hold(1);
    hold(2);
    vi.advanceTimersByTime(20_000);
    await turn();
    expect([isOurs(of(1).held, 55_000), isOurs(of(2).held, 0)]).toEqual([true, false]);
    of(2).end();
    await turn();
    vi.advanceTimersByTime(20_000);
    await turn();
    expect(renewed).toEqual([[1, 2], [1]]);
  });

  test("a renewal that fails leaves the lease's end unchanged", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const { hold, of } = held(() => Promise.reject(new Error("the database is away")));
    hold(1);
    vi.advanceTimersByTime(59_999);
    await turn();
    expect(isOurs(of(1).held, 0)).toBe(true);
    vi.advanceTimersByTime(1);
    expect(isOurs(of(1).held, 0)).toBe(false);
  });

  test("the end is written as soon as the database answers, and not after the lease", async () => {
    const { hold, of } = held();
    hold(1);
    let fails = 2;
    const write = async () => {
      if (fails-- > 0) throw new Error("the database is away");
      return "written";
    };
    expect(await writeEnd(of(1).held, write)).toBe("written");
    hold(2, true, performance.now() - 60_000);
    await expect(writeEnd(of(2).held, () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  });
});

describe("rows of a table", async () => {
  const log = pino({ level: "silent" });
  const db = openDb({ url: await testDatabase(), connections: 4, signals: { publish: () => {} }, log });
  afterAll(() => db.close());
  await db.execute(
    sql`create table runs (workspace text, n integer, due_at timestamptz, lease_id uuid, done integer default 0)`,
  );
  beforeEach(async () => void (await db.execute(sql`delete from runs`)));

  interface Run {
    workspace: string;
    n: number;
    lease: string;
  }
  const claim = (lease: string, most: number, full: string[]) =>
    db.query<Run>(sql`
      update runs set lease_id = ${lease}, due_at = now() + interval '60 seconds'
      where ctid in (select ctid from runs where due_at <= now() and workspace <> all (${full}::text[])
        order by due_at, n limit ${most} for update skip locked)
      returning workspace, n, lease_id as lease`);
  const release = (runs: Run[]) =>
    db.execute(sql`update runs set lease_id = null, due_at = now()
      where n = any(${runs.map(({ n }) => n)}::int[]) and lease_id = any(${runs.map(({ lease }) => lease)}::uuid[])`);
  const takeBack = (leases: string[]) =>
    db.execute(sql`update runs set lease_id = null, due_at = now() where lease_id = any(${leases}::uuid[])`);
  const finish = ({ n, lease }: Run) =>
    db.execute(
      sql`update runs set lease_id = null, due_at = null, done = done + 1 where n = ${n} and lease_id = ${lease}`,
    );
  const add = (workspace: string, from: number, count: number) =>
    db.execute(
      sql`insert into runs (workspace, n, due_at) select ${workspace}, n, now() from generate_series(${from}::int, ${from + count - 1}::int) n`,
    );
  const count = async (condition: "done = 1" | "lease_id is not null" | "done > 1") =>
    (await db.query<{ n: number }>({ text: `select count(*)::int as n from runs where ${condition}`, values: [] }))[0]
      ?.n;

  /** A process that works on them: what a slice does with the loop, the leases and the room. */
  function worker(work: (run: Run) => Promise<unknown>, claimWith = claim) {
    const leases = new Leases<Run>({ seconds: 60, release });
    const room = new Room({ most: 40, each: 20, least: 2 });
    const turns = fairShare({ of: "runs", most: 4, each: 4, held: Number.POSITIVE_INFINITY });
    const sharers = new Map<string, Sharer>();
    let mostHeld = 0;
    const signals = { subscribe: () => () => {} } as unknown as Signals;
    const loop = startLoop(
      { log, signals, dueWork: { ask: () => () => {} } },
      {
        what: "runs",
        wakeOn: { due: () => true },
        async round() {
          await leases.takeBack(takeBack);
          const full = [...sharers].filter(([, one]) => room.hasEnough(one)).map(([workspace]) => workspace);
          const most = Math.min(10, room.free());
          if (most === 0) return 1_000;
          const { items, since } = await leases.claim((lease) => claimWith(lease, most, full));
          for (const run of items) {
            const sharer = sharers.get(run.workspace) ?? { held: 0 };
            sharers.set(run.workspace, sharer);
            room.enter(sharer);
            mostHeld = Math.max(mostHeld, 40 - room.free());
            leases.hold(run, since, (held) =>
              turns
                .run(run.workspace, async () => {
                  if (!isOurs(held, 0)) return;
                  held.begun = true;
                  await work(run);
                  await writeEnd(held, () => finish(run));
                })
                .finally(() => {
                  room.leave(sharer);
                  if (!room.hasEnough(sharer)) loop.wake();
                }),
            );
          }
          return items.length === most ? 0 : 1_000;
        },
      },
    );
    const stop = async () => {
      await loop.stop();
      await leases.stop(5_000);
    };
    onTestFinished(stop);
    return { stop, mostHeld: () => mostHeld };
  }

  test("two processes do each row once, with never more in memory than there is room for", async () => {
    await add("a", 1, 300);
    const workers = [worker(turn), worker(turn)];
    await until(async () => (await count("done = 1")) === 300, "all runs");
    expect(await count("done > 1")).toBe(0);
    for (const { mostHeld } of workers) expect(mostHeld()).toBeLessThanOrEqual(40);
  });

  test("a workspace whose work hangs has its share, and another's is done in its turns", async () => {
    await add("greedy", 1, 500);
    const hang = Promise.withResolvers<void>();
    const begun: string[] = [];
    worker(({ workspace }) => {
      begun.push(workspace);
      return workspace === "greedy" && begun.length <= 3 ? hang.promise : turn();
    });
    onTestFinished(() => hang.resolve());
    await until(() => begun.length >= 3, "the work that hangs");
    await add("other", 1_001, 10);
    await until(async () => {
      const [row] = await db.query<{ n: number }>(sql`select sum(done)::int as n from runs where workspace = 'other'`);
      return row?.n === 10;
    }, "the other's runs");
    // Of one place for all, each has every other turn while both wait.
    const first = begun.indexOf("other");
    const greedy = begun.slice(first, begun.lastIndexOf("other")).filter((workspace) => workspace === "greedy").length;
    expect(greedy).toBeLessThanOrEqual(12);
  });

  test("rows of a claim whose answer was lost are processed long before their lease ends", async () => {
    await add("a", 1, 5);
    let lost = true;
    worker(turn, async (lease, most, full) => {
      const runs = await claim(lease, most, full);
      if (lost) {
        lost = false;
        throw new Error("the connection went silent");
      }
      return runs;
    });
    await until(async () => (await count("done = 1")) === 5, "the runs", 30_000);
  });

  test("a stop leaves no row leased that was not begun, and finishes those that were", async () => {
    await add("a", 1, 50);
    const hang = Promise.withResolvers<void>();
    let begun = 0;
    const { stop } = worker(() => {
      begun++;
      return hang.promise;
    });
    await until(() => begun === 4, "as many as there are places");
    await until(async () => ((await count("lease_id is not null")) ?? 0) > 4, "some that wait");
    const stopped = stop();
    await until(async () => (await count("lease_id is not null")) === 4, "the others given back");
    hang.resolve();
    await stopped;
    expect([await count("done = 1"), await count("lease_id is not null"), begun]).toEqual([4, 0, 4]);
  });
});
