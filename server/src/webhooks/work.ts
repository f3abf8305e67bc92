import type { Ground } from "../platform/ground.ts";
import { encodeId } from "../platform/ids.ts";
import { type Loop, startLoop } from "../platform/work/loop.ts";
import { collect } from "./collect.ts";
import { WEBHOOKS_CHANGED } from "./define.ts";
import { createDesk, type Desk } from "./desk.ts";
import { type Endpoint, enabledEndpoints } from "./store.ts";

/** Signal that the log of these workspaces has new entries, which are the rows that endpoints read on from. */
export const LOGGED = "webhooks.logged";

/** Retries, what other processes left, lost signals, and events that waited for an older transaction. */
const POLL_MS = 1_000;
/** Where no endpoint is enabled: only for a lost signal that one is. */
const IDLE_POLL_MS = 30_000;
/** Between two rounds, so that a busy workspace costs ten small queries a second and not one a commit. */
const GAP_MS = 100;
/** Pages collected for one workspace, whichever its endpoints, before the others have their turn. */
const PAGES = 5;

// The life of an event on its way to an endpoint:
//   collect  it is read from the activity, behind the endpoint's place, and becomes a row; the place moves with it
//   claim    the row is leased, for each endpoint at most as many as it has room for
//   deliver  one call, signed for now; what came of it decides: delivered, again later, failed, or the endpoint disabled
// A process that dies anywhere here leaves a row leased or a place unmoved; another goes on there, with the same webhook-id.

/** Starts collecting and sending in this process: woken by commits here and elsewhere, and polling as the fallback. */
export const startWebhooks = (ground: Ground): Work => new Work(ground);

class Work {
  readonly #ground: Ground;
  readonly #desk: Desk;
  readonly #loop: Loop;
  /** The endpoint of each workspace that had the last page, where others still wait for one. */
  readonly #last = new Map<string, string>();
  #none = true;

  constructor(ground: Ground) {
    this.#ground = ground;
    this.#desk = createDesk(ground, () => this.#loop.wake());
    this.#loop = startLoop(ground, {
      what: "webhooks",
      wakeOn: {
        // A busy installation without endpoints must not ask at each commit.
        [LOGGED]: () => !this.#none,
        [WEBHOOKS_CHANGED]: () => true,
      },
      round: () => this.#round(),
      gapMs: GAP_MS,
    });
  }

  /** Gives back what has not begun, and waits for what has. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#desk.stop();
  }

  async #round(): Promise<number> {
    const endpoints = await enabledEndpoints(this.#ground.workDb);
    this.#none = endpoints.length === 0;
    const unread = endpoints.filter((endpoint) => endpoint.unread);
    for (const [workspaceId, mine] of Map.groupBy(unread, (endpoint) => endpoint.workspace_id))
      await this.#collect(workspaceId, mine);
    if (!this.#loop.stopping) await this.#desk.claim(endpoints.filter(({ resting }) => !resting));
    return this.#none ? IDLE_POLL_MS : POLL_MS;
  }

  /** A workspace's turn: a page of one endpoint after the other, beginning behind the one that had the last page of the turn before. */
  async #collect(workspaceId: string, endpoints: Endpoint[]): Promise<void> {
    const last = this.#last.get(workspaceId) ?? "";
    const after = endpoints.findIndex(({ id }) => id > last);
    const queue = after < 0 ? endpoints : [...endpoints.slice(after), ...endpoints.slice(0, after)];
    this.#last.delete(workspaceId);
    let took = false;
    for (let page = 0; page < PAGES && !this.#loop.stopping; page++) {
      const endpoint = queue.shift();
      if (!endpoint) return;
      const more = await this.#page(endpoint);
      took ||= more !== undefined;
      if (more) queue.push(endpoint);
      if (queue.length > 0) this.#last.set(workspaceId, endpoint.id);
    }
    // Where nothing could be taken the next look is early enough.
    if (queue.length > 0 && took) this.#loop.wake();
  }

  /** What is wrong with one endpoint must not keep the others waiting. */
  #page(endpoint: Endpoint): Promise<boolean | undefined> {
    return collect(this.#ground, endpoint).catch((error) => {
      const said = { webhook_id: encodeId("whk", endpoint.id), err: String(error) };
      this.#ground.log.warn(said, "events were not collected");
      return undefined;
    });
  }
}
