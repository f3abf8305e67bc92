import { ACTIVITY_LOGGED } from "../activity/index.ts";
import type { Ground } from "../platform/ground.ts";
import { encodeId } from "../platform/ids.ts";
import { type Loop, startLoop } from "../platform/work/loop.ts";
import { collect } from "./collect.ts";
import { WEBHOOKS_CHANGED } from "./define.ts";
import { createSender, type WebhookSender } from "./sender.ts";
import { type Endpoint, enabledEndpoints } from "./store.ts";

/** The poll finds retries, rows of dead processes, lost signals, and events that waited for an older transaction. */
const POLL_MS = 1_000;
/** The poll while no endpoint is enabled. It only replaces a lost signal that one is. */
const IDLE_POLL_MS = 30_000;
/** The time between two rounds: a busy workspace takes ten small queries a second, and not one for each commit. */
const GAP_MS = 100;
/** Batches of one workspace, of all its endpoints together, before the other workspaces have their turn. */
const BATCHES = 5;

// The steps of an event to an endpoint:
//   collect  reads the event from the activity, after the endpoint's position, and writes a row; the position moves with it
//   claim    leases rows, for each endpoint at most as many as it has room for
//   deliver  makes one signed call. Its outcome decides: delivered, retried later, failed, or the endpoint is disabled
// If a process dies at any point, a row stays leased or a position unmoved. Another process continues, with the same webhook-id.

/** Starts to collect and send events in this process. Commits of all processes wake it, and it polls as a fallback. */
export const startWebhooks = (ground: Ground): Work => new Work(ground);

class Work {
  readonly #ground: Ground;
  readonly #sender: WebhookSender;
  readonly #loop: Loop;
  /** By workspace, the endpoint that had the last batch, while other endpoints still wait for one. */
  readonly #last = new Map<string, string>();
  #noEndpoints = true;

  constructor(ground: Ground) {
    this.#ground = ground;
    this.#sender = createSender(ground, () => this.#loop.wake());
    this.#loop = startLoop(ground, {
      what: "webhooks",
      wakeOn: {
        // A busy installation without endpoints must not query at each commit.
        [ACTIVITY_LOGGED]: () => !this.#noEndpoints,
        [WEBHOOKS_CHANGED]: () => true,
      },
      round: () => this.#round(),
      gapMs: GAP_MS,
    });
  }

  /** Releases calls that have not begun, and waits for the others. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#sender.stop();
  }

  async #round(): Promise<number> {
    const endpoints = await enabledEndpoints(this.#ground.workDb);
    this.#noEndpoints = endpoints.length === 0;
    const unread = endpoints.filter((endpoint) => endpoint.unread);
    for (const [workspaceId, mine] of Map.groupBy(unread, (endpoint) => endpoint.workspace_id))
      await this.#collect(workspaceId, mine);
    if (!this.#loop.stopping) await this.#sender.claim(endpoints.filter(({ resting }) => !resting));
    return this.#noEndpoints ? IDLE_POLL_MS : POLL_MS;
  }

  /** Collects one batch after the other for the endpoints of a workspace, beginning after the endpoint that had the last batch before. */
  async #collect(workspaceId: string, endpoints: Endpoint[]): Promise<void> {
    const last = this.#last.get(workspaceId) ?? "";
    const after = endpoints.findIndex(({ id }) => id > last);
    const queue = after < 0 ? endpoints : [...endpoints.slice(after), ...endpoints.slice(0, after)];
    this.#last.delete(workspaceId);
    let took = false;
    for (let batch = 0; batch < BATCHES && !this.#loop.stopping; batch++) {
      const endpoint = queue.shift();
      if (!endpoint) return;
      const more = await this.#batch(endpoint);
      took ||= more !== undefined;
      if (more) queue.push(endpoint);
      if (queue.length > 0) this.#last.set(workspaceId, endpoint.id);
    }
    // If nothing was taken, the next poll is early enough.
    if (queue.length > 0 && took) this.#loop.wake();
  }

  /** Catches errors, so that a fault of one endpoint does not stop the others. */
  #batch(endpoint: Endpoint): Promise<boolean | undefined> {
    return collect(this.#ground, endpoint).catch((error) => {
      const fields = { webhook_id: encodeId("whk", endpoint.id), err: String(error) };
      this.#ground.log.warn(fields, "events were not collected");
      return undefined;
    });
  }
}
