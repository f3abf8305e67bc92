import type { Ground } from "../platform/ground.ts";
import { type Scrub, scrubber } from "../platform/scrub.ts";
import { open as openKind } from "./providers/index.ts";
import { type Opened, opened as openedAs, type Rest } from "./opened.ts";
import { keepRest, type ProviderRow, providersFor } from "./provider-store.ts";
import type { Provider } from "./providers/provider.ts";
import type { ChannelOf } from "./lane.ts";
import { storable } from "./storable.ts";

/** Signal that carries workspace ids whose providers changed. */
export const PROVIDERS_CHANGED = "providers.changed";
/** Also without the signal a change counts after this time at the latest. */
const FRESH_MS = 4_000;
const MOST = 10_000;

export interface Registry {
  /** The providers of a channel in the order in which they are tried: the local one where none is set. */
  of(lane: ChannelOf): Promise<Opened[]>;
  /** Providers that this process hands nothing to for now, as `name (kind, channel)`. */
  resting(): number;
  /** Ends all providers. Hand-offs under way come back as retries. */
  close(): void;
}

/** Opens a provider with its credentials. */
export function openProvider(ground: Ground, row: ProviderRow): Provider {
  const { id, workspace_id: workspaceId, settings } = row;
  const credentials = credentialsOf(ground, row) as never;
  return openKind(ground, row.kind, { id, workspaceId, settings: settings as never, credentials });
}

/** What is sealed in the row. It goes to the provider's own file and to nobody else. */
export const credentialsOf = (ground: Ground, row: ProviderRow): object =>
  row.credentials === null ? {} : JSON.parse(ground.seal.open(row.credentials, `provider ${row.id}`));

/** Takes what is sealed in the row out of what others say of it: its callbacks, the mails in its mailbox. */
export const scrubberOf = (ground: Ground, row: ProviderRow): Scrub =>
  scrubber(credentialsOf(ground, row), row.settings);

// The registry of a process, for what asks how its providers are. Under the ground, because that is what a process stands on.
const registries = new WeakMap<Ground, Registry>();

/** How many providers this process lets rest, for GET /readyz. */
export const restingProviders = (ground: Ground): number => registries.get(ground)?.resting() ?? 0;

const keyOf = (lane: ChannelOf): string => `${lane.workspaceId} ${lane.channel}`;

/** Keeps the providers of this process open for as long as their rows stay as they are. */
export function createRegistry(ground: Ground): Registry {
  const providers = openProviders(ground);
  const lists = new Map<string, { at: number; list: Promise<Opened[]> }>();
  const unsubscribe = ground.signals.subscribe(PROVIDERS_CHANGED, () => lists.clear());
  const resting = () => providers.all().filter(({ health }) => health.until !== undefined);

  const registry: Registry = {
    of(lane) {
      const key = keyOf(lane);
      const known = lists.get(key);
      if (known && performance.now() - known.at < FRESH_MS) return known.list;
      if (lists.size >= MOST) lists.clear();
      const list = providersFor(ground.workDb, lane).then((rows) => providers.ofLane(key, rows));
      lists.set(key, { at: performance.now(), list });
      list.catch(() => lists.delete(key));
      return list;
    },
    resting: () => resting().length,
    close() {
      unsubscribe();
      registries.delete(ground);
      providers.close();
    },
  };
  ground.metrics.resting(() => resting().map(({ provider, channel }) => ({ channel, provider: provider.kind })));
  registries.set(ground, registry);
  return registry;
}

/** What is open in a process. */
interface OpenProviders {
  /** Those of a lane as its rows are now: the same ones where nothing changed, and those that went are closed. */
  ofLane(lane: string, rows: ProviderRow[]): Opened[];
  all(): Known[];
  close(): void;
}

function openProviders(ground: Ground): OpenProviders {
  const nobody = { id: null, workspaceId: "", settings: {}, credentials: {} };
  const local: Opened = openedAs("local", "local", openKind(ground, "local", nobody));
  const opened = new Map<string, Known>();
  const retired = new Set<Opened>();

  function kept(row: ProviderRow): Opened {
    const known = opened.get(row.id);
    const version = JSON.stringify([row.kind, row.settings, row.credentials]);
    if (known?.version === version) return Object.assign(known, { name: row.name, rate: row.rate_per_second });
    const fresh: Known = Object.assign(openedAs(row.id, row.name, openProvider(ground, row), row.rate_per_second), {
      version,
      channel: row.channel,
      lane: keyOf({ workspaceId: row.workspace_id, channel: row.channel }),
    });
    fresh.changed = (rest) => changed(ground, row, rest);
    opened.set(row.id, fresh);
    if (known) retire(known);
    return fresh;
  }

  /** Hand-offs through it finish: their places are held until they do. */
  function retire(old: Opened): void {
    retired.add(old);
    old.changed = () => {};
    void old.open.drained().then(() => {
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

interface Known extends Opened {
  version: string;
  channel: ChannelOf["channel"];
  lane: string;
}

/** Tells operators: the log, the metrics, and the row that the API shows, which is of whichever process said so last. */
function changed(ground: Ground, row: ProviderRow, rest: Rest | undefined): void {
  const said = { provider: row.name, kind: row.kind, channel: row.channel };
  if (rest) {
    ground.metrics.rests.inc({ channel: row.channel, provider: row.kind, cause: rest.cause });
    ground.log.warn({ ...said, cause: rest.cause, seconds: Math.round(rest.ms / 1_000) }, "a provider rests");
  } else ground.log.info(said, "a provider works again");
  const kept = rest && { ms: rest.ms, reason: `${rest.cause}: ${storable(rest.reason)}` };
  keepRest(ground.workDb, row.workspace_id, row.id, kept).catch((error) =>
    ground.log.debug({ err: String(error) }, "how a provider is could not be written"),
  );
}
