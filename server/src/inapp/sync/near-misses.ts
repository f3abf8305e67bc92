import { findPeople } from "../../people/index.ts";
import { boundedCache } from "../../platform/limits/cache.ts";
import type { Ground } from "../../platform/ground.ts";

/** A person_id that a device synced with and that nobody in the workspace has. */
export interface NearMiss {
  person_id: string;
  screen: string | null;
  last_seen: Date;
  count: number;
}

type Noted = NearMiss & { workspaceId: string; key: string };

/** The ground with the near misses, which syncs note and the explainer reads. The roof adds the field. */
export interface InAppGround extends Ground {
  readonly nearMisses: NearMisses;
}

const KEPT_MS = 3_600_000;
const MOST_OF_A_WORKSPACE = 1_000;
/** Of all workspaces, some 400 bytes each. Beyond it, those of the workspace that has had none for the longest time go first. */
const MOST = 50_000;
/** A person is looked up once a minute at most; the last look-ups are remembered, about 150 bytes each. */
const AGAIN_MS = 60_000;
const MOST_LOOKED_UP = 50_000;
/** One statement looks up the people of one round. A person who does not fit is noted at their next sync. */
const ROUND_MS = 500;
const MOST_A_ROUND = 500;
const LONGEST_SCREEN = 200;

/**
 * Syncs of people whom the workspace does not know, kept in this process for an hour, so that support sees which id a device
 * really used. Only a sync that found nothing is noted. Whether the person exists is looked up later: no response waits for it.
 */
export class NearMisses {
  readonly #ground: Pick<Ground, "db" | "clock" | "log">;
  readonly #most: number;
  /** By workspace. The one that had a near miss last comes last. */
  readonly #missed = new Map<string, Map<string, Noted>>();
  #size = 0;
  readonly #lookedUp = boundedCache<number>(MOST_LOOKED_UP);
  #waiting = new Map<string, Noted>();
  /** The people whose look-up is under way. */
  #asked = new Map<string, Noted>();
  #timer: NodeJS.Timeout | undefined;

  /** @param most how many are kept; tests set it */
  constructor(ground: Pick<Ground, "db" | "clock" | "log">, most = MOST) {
    this.#ground = ground;
    this.#most = most;
  }

  /** Notes a sync that found nothing. `key` is the person key. */
  note(workspaceId: string, personId: string, key: string, screen: string | undefined): void {
    const now = this.#ground.clock.now();
    const known = this.#missed.get(workspaceId)?.get(personId) ?? this.#waiting.get(key) ?? this.#asked.get(key);
    if (known) {
      known.count++;
      known.last_seen = now;
      known.screen = screen?.slice(0, LONGEST_SCREEN) ?? null;
      return;
    }
    const last = this.#lookedUp.get(key);
    if ((last !== undefined && now.getTime() - last < AGAIN_MS) || this.#waiting.size >= MOST_A_ROUND) return;
    this.#lookedUp.set(key, now.getTime());
    const kept = screen?.slice(0, LONGEST_SCREEN) ?? null;
    this.#waiting.set(key, { workspaceId, key, person_id: personId, screen: kept, last_seen: now, count: 1 });
    this.#timer ??= setTimeout(() => void this.#lookUp(), ROUND_MS).unref();
  }

  /** The near misses of the last hour whose person the workspace still does not know, the latest first. */
  async of(workspaceId: string): Promise<NearMiss[]> {
    const missed = this.#missed.get(workspaceId);
    if (!missed) return [];
    this.#dropOld(missed);
    const people = await findPeople(
      this.#ground.db,
      [...missed.values()].map((one) => ({ workspaceId, id: one.person_id })),
    );
    for (const person of people) {
      const found = person && missed.get(person.person_id);
      if (found) this.#drop(found);
    }
    return [...missed.values()]
      .sort((a, b) => b.last_seen.getTime() - a.last_seen.getTime())
      .map(({ person_id, screen, last_seen, count }) => ({ person_id, screen, last_seen, count }));
  }

  async #lookUp(): Promise<void> {
    this.#timer = undefined;
    const round = this.#waiting;
    const asked = [...round.values()];
    this.#asked = round;
    this.#waiting = new Map();
    try {
      const people = await findPeople(
        this.#ground.db,
        asked.map((one) => ({ workspaceId: one.workspaceId, id: one.person_id })),
      );
      asked.forEach((one, i) => {
        if (!people[i]) this.#keep(one);
      });
    } catch (error) {
      this.#ground.log.debug({ err: (error as Error).message }, "people could not be looked up for near misses");
    } finally {
      if (this.#asked === round) this.#asked = new Map();
    }
  }

  #keep(one: Noted): void {
    const { workspaceId, person_id: id } = one;
    const missed = this.#missed.get(workspaceId) ?? new Map<string, Noted>();
    if (!missed.has(id)) this.#size++;
    this.#missed.delete(workspaceId);
    this.#missed.set(workspaceId, missed.set(id, one));
    if (missed.size > MOST_OF_A_WORKSPACE) this.#dropOld(missed);
    if (missed.size > MOST_OF_A_WORKSPACE) this.#dropFirst(missed);
    const [quietest] = this.#missed.values();
    if (this.#size > this.#most && quietest) this.#dropFirst(quietest);
  }

  #dropOld(missed: Map<string, Noted>): void {
    const since = this.#ground.clock.now().getTime() - KEPT_MS;
    for (const one of missed.values()) if (one.last_seen.getTime() < since) this.#drop(one);
  }

  #dropFirst(missed: Map<string, Noted>): void {
    const [one] = missed.values();
    if (one) this.#drop(one);
  }

  #drop({ workspaceId, person_id: id }: Noted): void {
    const missed = this.#missed.get(workspaceId);
    if (!missed?.delete(id)) return;
    this.#size--;
    if (missed.size === 0) this.#missed.delete(workspaceId);
  }
}
