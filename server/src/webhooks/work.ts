import { setTimeout as sleep } from "node:timers/promises";
import { RECORDED } from "../activity/index.ts";
import type { Ground } from "../platform/ground.ts";
import { encodeId, newId } from "../platform/ids.ts";
import { collect } from "./collect.ts";
import { WEBHOOKS_CHANGED } from "./define.ts";
import { claimDue } from "./delivery-store.ts";
import { createDesk, type Desk } from "./desk.ts";
import { type Endpoint, enabledEndpoints } from "./store.ts";

/** Retries, what other processes left, lost signals, and events that waited for an older transaction. */
const POLL_MS = 1_000;
/** Where no endpoint is enabled: only for a lost signal that one is. */
const IDLE_POLL_MS = 30_000;
/** Between two rounds, so that a busy workspace costs ten small queries a second and not one a commit. */
const GAP_MS = 100;
/** Pages collected for one workspace, whichever its endpoints, before the others have their turn. */
const PAGES = 5;

/** The webhook work of one process. */
export interface WebhookWork {
  stop(): Promise<void>;
}

// The life of an event on its way to an endpoint:
//   collect  it is read from the activity, behind the endpoint's place, and becomes a row; the place moves with it
//   claim    the row is leased, for each endpoint at most as many as it has room for
//   deliver  one call, signed for now; what came of it decides: delivered, again later, failed, or the endpoint disabled
// A process that dies anywhere here leaves a row leased or a place unmoved; another goes on there, with the same webhook-id.

/** Starts collecting and sending in this process: woken by commits here and elsewhere, and polling as the fallback. */
export const startWebhooks = (ground: Ground): WebhookWork => new Work(ground);

class Work implements WebhookWork {
  readonly #ground: Ground;
  readonly #desk: Desk;
  readonly #ending = new AbortController();
  readonly #unsubscribe: (() => void)[];
  #running: Promise<void> | undefined;
  /** The endpoint of each workspace that had the last page, where others still wait for one. */
  readonly #last = new Map<string, string>();
  #again = false;
  #none = true;
  #timer: NodeJS.Timeout | undefined;

  constructor(ground: Ground) {
    this.#ground = ground;
    this.#desk = createDesk(ground, () => this.#wake());
    this.#unsubscribe = [
      // A busy installation without endpoints must not ask at each commit.
      ground.signals.subscribe(RECORDED, () => this.#none || this.#wake()),
      ground.signals.subscribe(WEBHOOKS_CHANGED, () => this.#wake()),
    ];
    this.#wake();
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    for (const end of this.#unsubscribe) end();
    clearTimeout(this.#timer);
    // A database that hangs must not hold the stop: what is half done is rolled back.
    await Promise.race([this.#running, sleep(2_000, undefined, { ref: false })]);
    await this.#desk.stop();
  }

  #wake(): void {
    this.#again = true;
    if (this.#running || this.#ending.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#running = this.#rounds().finally(() => {
      this.#running = undefined;
      if (this.#ending.signal.aborted) return;
      if (this.#again) this.#wake();
      else this.#timer = setTimeout(() => this.#wake(), this.#none ? IDLE_POLL_MS : POLL_MS);
    });
  }

  async #rounds(): Promise<void> {
    const { signal } = this.#ending;
    while (this.#again && !signal.aborted) {
      this.#again = false;
      await this.#round().catch((error) =>
        this.#ground.log.debug({ err: String(error) }, "webhooks could not be worked on"),
      );
      await sleep(GAP_MS, undefined, { signal }).catch(() => {});
    }
  }

  async #round(): Promise<void> {
    const endpoints = await enabledEndpoints(this.#ground.workDb);
    this.#none = endpoints.length === 0;
    const unread = endpoints.filter((endpoint) => endpoint.unread);
    for (const [workspaceId, mine] of Map.groupBy(unread, (endpoint) => endpoint.workspace_id))
      await this.#collect(workspaceId, mine);
    await this.#claim(endpoints);
  }

  /** A workspace's turn: a page of one endpoint after the other, beginning behind the one that had the last page of the turn before. */
  async #collect(workspaceId: string, endpoints: Endpoint[]): Promise<void> {
    const last = this.#last.get(workspaceId) ?? "";
    const after = endpoints.findIndex(({ id }) => id > last);
    const queue = after < 0 ? endpoints : [...endpoints.slice(after), ...endpoints.slice(0, after)];
    this.#last.delete(workspaceId);
    let took = false;
    for (let page = 0; page < PAGES && !this.#ending.signal.aborted; page++) {
      const endpoint = queue.shift();
      if (!endpoint) return;
      const more = await this.#page(endpoint);
      took ||= more !== undefined;
      if (more) queue.push(endpoint);
      if (queue.length > 0) this.#last.set(workspaceId, endpoint.id);
    }
    // Where nothing could be taken the next look is early enough.
    if (queue.length > 0 && took) this.#again = true;
  }

  /** What is wrong with one endpoint must not keep the others waiting. */
  #page(endpoint: Endpoint): Promise<boolean | undefined> {
    return collect(this.#ground, endpoint).catch((error) => {
      const said = { webhook_id: encodeId("whk", endpoint.id), err: String(error) };
      this.#ground.log.warn(said, "events were not collected");
      return undefined;
    });
  }

  async #claim(endpoints: Endpoint[]): Promise<void> {
    const byId = new Map(endpoints.filter(({ resting }) => !resting).map((endpoint) => [endpoint.id, endpoint]));
    const lanes = this.#desk.rooms([...byId.values()]);
    if (lanes.length === 0 || this.#ending.signal.aborted) return;
    const since = performance.now();
    const claimed = await claimDue(this.#ground.workDb, newId(), lanes);
    for (const [id, mine] of Map.groupBy(claimed, (one) => one.webhookId))
      this.#desk.take(byId.get(id) as Endpoint, mine, since);
  }
}
