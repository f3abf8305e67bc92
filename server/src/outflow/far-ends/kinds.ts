import type { DestinationCredentials, DestinationKind, DestinationSettings } from "@tidings/contract/destinations";
import type { Ground } from "../../platform/ground.ts";
import { sealOver } from "../../platform/seal.ts";
import { clickhouseFarEnd } from "./clickhouse.ts";
import type { FarEnd } from "./far-end.ts";
import { endpointOf, s3FarEnd } from "./s3.ts";

/** What a stored destination needs to be called. */
interface Stored {
  kind: DestinationKind;
  settings: Record<string, unknown>;
  /** Sealed. */
  credentials: string;
}

/** What a kind is made of. The settings have been checked when they were stored. */
interface Kind {
  open(ground: Pick<Ground, "fetchOut" | "clock">, settings: never, credentials: never): FarEnd;
  /** Where the credentials go, by the names of the settings that decide it. */
  credentialsGoTo(settings: never): Record<string, unknown>;
  /** The setting with its address. */
  address: "endpoint" | "url";
  /** How many seconds of rows a batch has. Each object of S3 costs a call of whoever reads it; ClickHouse likes an insert a second at most. */
  intervalSeconds: number;
}

export const KINDS: Record<DestinationKind, Kind> = {
  s3: {
    open: s3FarEnd as (...args: never[]) => FarEnd,
    credentialsGoTo: (settings: DestinationSettings["s3"]) => ({ endpoint: endpointOf(settings) }),
    address: "endpoint",
    intervalSeconds: 60,
  },
  clickhouse: {
    open: clickhouseFarEnd as (...args: never[]) => FarEnd,
    credentialsGoTo: ({ url }: DestinationSettings["clickhouse"]) => ({ url }),
    address: "url",
    intervalSeconds: 10,
  },
};

const purposeOf = (id: string): string => `export destination ${id}`;

/** Seals the credentials of a destination, so that a copy at another one can't be opened. Those that it has stay as they are. */
export const sealed = (
  { seal }: Pick<Ground, "seal">,
  { id, credentials: before }: { id: string; credentials: string | null },
  credentials: object,
): string => sealOver(seal, { sealed: before, context: purposeOf(id) }, credentials);

export const credentialsOf = ({ seal }: Pick<Ground, "seal">, id: string, text: string) =>
  JSON.parse(seal.open(text, purposeOf(id))) as Record<string, string>;

/** Returns the far end of a destination. @throws Error if its credentials were sealed with another key */
export const farEndOf = (ground: Ground, id: string, { kind, settings, credentials }: Stored): FarEnd =>
  KINDS[kind].open(
    ground,
    settings as never,
    credentialsOf(ground, id, credentials) as unknown as DestinationCredentials[never],
  );
