import { boundedCache } from "../../platform/limits/cache.ts";
import type { Ground } from "../../platform/ground.ts";
import { type Scrub, scrubber } from "../../platform/scrub.ts";
import { FRESH_MS } from "../../platform/signals/index.ts";
import { logText } from "../message/message.ts";
import { open as openKind } from "../providers/index.ts";
import type { Provider } from "../providers/protocol/provider.ts";
import type { ChannelOf } from "../queue/lane.ts";
import { type Connection, createConnection, type Rest } from "./connection.ts";
import { showProviders } from "./monitoring.ts";
import { keepRest, keepSlow, type ProviderRow, providersFor, putDueForward } from "./provider-store.ts";

/** Signal that carries workspace ids whose providers changed. */
export const PROVIDERS_CHANGED = "providers.changed";
const MOST = 10_000;
/** Deliveries whose due time is moved forward in one statement. */
const BATCH = 1_000;

export interface Registry {
  /** The connections of a channel in the order in which they are tried: the local provider where the workspace has none. */
  of(lane: ChannelOf): Promise<Connection[]>;
  /** How many providers this process hands nothing to for now. */
  resting(): number;
  /** Checks for hand-offs that take too long. @param now performance.now() */
  look(now: number): void;
  /** Ends all providers. Hand-offs under way come back as retries. */
  close(): void;
}

/** Opens a provider with its credentials. */
export function openProvider(ground: Ground, row: ProviderRow): Provider {
  const { id, workspace_id: workspaceId, settings } = row;
  const credentials = credentialsOf(ground, row) as never;
  return openKind(ground, row.kind, { id, workspaceId, settings: settings as never, credentials });
}

/** The credentials that are sealed in the row. Only the provider's own file gets them. */
export const credentialsOf = (ground: Ground, row: ProviderRow): object =>
  row.credentials === null ? {} : JSON.parse(ground.seal.open(row.credentials, `provider ${row.id}`));

/** Removes the row's credentials from texts that others send: the provider's callbacks, the mails in its bounce mailbox. */
export const scrubberOf = (ground: Ground, row: ProviderRow): Scrub =>
  scrubber(credentialsOf(ground, row), row.settings);

const keyOf = (lane: ChannelOf): string => `${lane.workspaceId} ${lane.channel}`;

/** Keeps the providers of this process open for as long as their rows stay as they are. */
export function createRegistry(ground: Ground): Registry {
  const providers = openProviders(ground);
  const lists = boundedCache<Promise<Connection[]>>(MOST, { ttl: FRESH_MS });
  const unsubscribe = ground.signals.subscribe(PROVIDERS_CHANGED, () => lists.clear());
  const resting = () => providers.all().filter(({ health }) => health.until !== undefined);

  const registry: Registry = {
    of(lane) {
      const key = keyOf(lane);
      const known = lists.get(key);
      if (known) return known;
      const list = providersFor(ground.workDb, lane).then((rows) => providers.ofLane(key, rows));
      lists.set(key, list);
      list.catch(() => lists.delete(key));
      return list;
    },
    resting: () => resting().length,
    look: (now) => lookAt(ground, providers.all(), now),
    close() {
      unsubscribe();
      clearInterval(look);
      providers.close();
    },
  };
  const look = setInterval(() => registry.look(performance.now()), LOOK_MS);
  showProviders(ground.metrics.registry, () =>
    providers
      .all()
      .flatMap((one) => statesOf(one).map((state) => ({ channel: one.channel, provider: one.provider.kind, state }))),
  );
  return registry;
}

/** The open connections of a process. */
interface OpenProviders {
  /** Connections for the current rows of a lane. Unchanged rows keep their connection; those of removed rows are closed. */
  ofLane(lane: string, rows: ProviderRow[]): Connection[];
  all(): RegisteredConnection[];
  close(): void;
}

function openProviders(ground: Ground): OpenProviders {
  const nobody = { id: null, workspaceId: "", settings: {}, credentials: {} };
  const local: Connection = createConnection("local", "local", openKind(ground, "local", nobody));
  const opened = new Map<string, RegisteredConnection>();
  const retired = new Set<Connection>();

  function kept(row: ProviderRow): Connection {
    const known = opened.get(row.id);
    const version = JSON.stringify([row.kind, row.settings, row.credentials]);
    if (known?.version === version) return Object.assign(known, { name: row.name, rate: row.rate_per_second });
    const fresh: RegisteredConnection = Object.assign(
      createConnection(row.id, row.name, openProvider(ground, row), row.rate_per_second),
      {
        version,
        workspaceId: row.workspace_id,
        slow: false,
        channel: row.channel,
        lane: keyOf({ workspaceId: row.workspace_id, channel: row.channel }),
      },
    );
    fresh.changed = (rest) => changed(ground, row, rest);
    opened.set(row.id, fresh);
    // A change, or a time in which no process ran, may have repaired it: deliveries that it put off must not wait for hours.
    void putForward(ground, row);
    if (known) retire(known);
    return fresh;
  }

  /** Closes a connection once its hand-offs have finished. */
  function retire(old: Connection): void {
    retired.add(old);
    old.changed = () => {};
    void Promise.all([old.unsettled.drained(), old.underWay.drained()]).then(() => {
      retired.delete(old);
      old.provider.close();
    });
  }

  return {
    ofLane(lane, rows) {
      for (const [id, old] of opened) {
        if (old.lane !== lane || rows.some((row) => row.id === id)) continue;
        opened.delete(id);
        retire(old);
      }
      return rows.length === 0 ? [local] : rows.map(kept);
    },
    all: () => [...opened.values()],
    close() {
      for (const one of [...opened.values(), ...retired]) {
        one.changed = () => {};
        one.provider.close();
      }
    },
  };
}

interface RegisteredConnection extends Connection {
  workspaceId: string;
  /** Whether it was slow at the last check. */
  slow: boolean;
  version: string;
  channel: ChannelOf["channel"];
  lane: string;
}

const statesOf = ({ health, underWay }: RegisteredConnection): ("resting" | "slow")[] => [
  ...(health.until === undefined ? [] : ["resting" as const]),
  ...(underWay.slowFor(performance.now()) === undefined ? [] : ["slow" as const]),
];

/** How often hand-offs that take too long are looked for, and how long the row says "slow" without a new report. */
const LOOK_MS = 5_000;
const SLOW_KEPT_MS = 20_000;

/** Lets other hand-offs pass those that take too long, and tells operators. */
function lookAt(ground: Ground, providers: RegisteredConnection[], now: number): void {
  for (const one of providers) {
    one.underWay.look(now);
    const ms = one.underWay.slowFor(now);
    const before = one.slow;
    one.slow = ms !== undefined;
    if (one.slow === before && !one.slow) continue;
    const fields = { provider: one.name, kind: one.provider.kind, channel: one.channel };
    if (one.slow && !before) ground.log.warn(fields, "a provider is slow: it was given messages and does not answer");
    if (!one.slow) ground.log.info(fields, "a provider answers in time again");
    const kept = ms === undefined ? undefined : { ms: SLOW_KEPT_MS, reason: slowReason(ms) };
    keepSlow(ground.workDb, one.workspaceId, one.id, kept).catch((error) =>
      ground.log.debug({ err: String(error) }, "the state of a provider could not be written"),
    );
  }
}

const slowReason = (ms: number): string =>
  `slow: a message that it was given ${Math.round(ms / 1_000)} s ago has no answer yet`;

/** Tells operators by the log, the metrics, and the row that the API shows. The row has the state of the process that wrote last. */
function changed(ground: Ground, row: ProviderRow, rest: Rest | undefined): void {
  const fields = { provider: row.name, kind: row.kind, channel: row.channel };
  if (rest) {
    ground.metrics.rests.inc({ channel: row.channel, provider: row.kind, cause: rest.cause });
    ground.log.warn({ ...fields, cause: rest.cause, seconds: Math.round(rest.ms / 1_000) }, "a provider rests");
  } else {
    ground.log.info(fields, "a provider works again");
    void putForward(ground, row);
  }
  const kept = rest && { ms: rest.ms, reason: `${rest.cause}: ${logText(rest.reason)}` };
  keepRest(ground.workDb, row.workspace_id, row.id, kept).catch((error) =>
    ground.log.debug({ err: String(error) }, "the state of a provider could not be written"),
  );
}

/** Makes deliveries that were put off because of a provider due soon, instead of hours later at their next attempt. */
async function putForward({ workDb, log }: Ground, row: ProviderRow): Promise<void> {
  try {
    while ((await putDueForward(workDb, row.id, BATCH)) === BATCH);
  } catch (error) {
    log.warn(
      { provider: row.name, err: String(error) },
      "deliveries that a provider's fault put off could not be made due",
    );
  }
}
