import { type Static, Type } from "typebox";
import { listing } from "./lists.ts";
import { Closed, Instant, Line, Name, Nullable, OneOf } from "./primitives.ts";

// Where a workspace's data is streamed out to. Settings are returned; credentials are write-only and sealed at rest.

export const destinationTables = ["deliveries", "activity", "events"] as const;
const Table = OneOf([...destinationTables]);
export type DestinationTable = (typeof destinationTables)[number];

const Address = (description: string) =>
  Line(2_000, {
    pattern: "^https?://[^\\s\\p{Cc}\\p{Cs}]+$",
    "x-says": "must be an http or https address",
    description,
  });
const Identifier = (description: string, options: object = {}) =>
  Line(100, {
    pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
    "x-says": "must be letters, digits and _, and not begin with a digit",
    description,
    ...options,
  });
const Secret = (description: string) => Line(1_000, { minLength: 1, description });

const s3 = {
  settings: Closed({
    bucket: Line(63, {
      pattern: "^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$",
      "x-says": "must be the name of a bucket: 3 to 63 small letters, digits, dots and hyphens",
    }),
    region: Line(50, { pattern: "^[a-z0-9-]+$", "x-says": "must be a region, such as eu-central-1" }),
    endpoint: Type.Optional(
      Address("The store's address, for stores other than Amazon's. Default: `https://s3.<region>.amazonaws.com`."),
    ),
    prefix: Type.Optional(
      Line(200, {
        pattern: "^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*$",
        "x-says": "must be folders of letters, digits and . _ - with a / between them, and none at either end",
        description: "A folder of the bucket. Default: none.",
      }),
    ),
    format: Type.Optional(
      OneOf(["ndjson.gz", "parquet"], {
        description: "JSON lines in gzip, or Parquet. Default: `ndjson.gz`.",
      }),
    ),
  }),
  credentials: Closed({
    access_key_id: Line(200, { pattern: "^[!-~]+$", "x-says": "must have no spaces" }),
    secret_access_key: Secret("Needs the right to put and to delete objects."),
  }),
};

const clickhouse = {
  settings: Closed({
    url: Address("The server's HTTP interface, such as `https://clickhouse.example.com:8443`."),
    database: Identifier("The database of the tables.", { minLength: 1 }),
    table_prefix: Type.Optional(Identifier("Stands before the names of the tables. Default: none.")),
    user: Line(200, { pattern: "^[!-~]+$", "x-says": "must have no spaces" }),
  }),
  credentials: Closed({
    password: Secret("Needs the right to insert into the tables and to select from them, for the test."),
  }),
};

/** What each kind of destination needs. */
export const destinationKinds = { s3, clickhouse };
export type DestinationKind = keyof typeof destinationKinds;
const Kind = OneOf(["s3", "clickhouse"], {
  description: "`s3`: a bucket of Amazon S3 or of a store with its API. `clickhouse`: a ClickHouse, by HTTP.",
});
export type DestinationSettings = {
  [K in DestinationKind]: Static<(typeof destinationKinds)[K]["settings"]>;
};
export type DestinationCredentials = {
  [K in DestinationKind]: Static<(typeof destinationKinds)[K]["credentials"]>;
};

const Settings = Type.Union([s3.settings, clickhouse.settings]);
/** Checked by kind in the service, which names the field. */
const Given = (what: string, ...kinds: { properties: object }[]) =>
  Type.Unsafe<Record<string, unknown>>({
    type: "object",
    description: `${what} of the kind: ${kinds.map(({ properties }) => Object.keys(properties).join(", ")).join("; or ")}.`,
  });
const SettingsInput = Given("The settings", s3.settings, clickhouse.settings);
const CredentialsInput = Given("The credentials", s3.credentials, clickhouse.credentials);
const Interval = Type.Integer({
  minimum: 1,
  maximum: 3_600,
  description:
    "How long rows are collected before a batch that is not full is sent. Default: 60 for `s3`, 10 for `clickhouse`.",
});
const Tables = Type.Array(Table, { minItems: 1, maxItems: 3, uniqueItems: true, description: "Default: all." });

export const DestinationInput = Closed({
  name: Name,
  kind: Kind,
  settings: SettingsInput,
  credentials: CredentialsInput,
  tables: Type.Optional(Tables),
  from: Type.Optional(
    OneOf(["beginning", "now"], {
      description:
        "`beginning`: also all rows that the service still has. `now`: what is written from now on. Default: `now`.",
    }),
  ),
  interval_seconds: Type.Optional(Interval),
});
export type DestinationInput = Static<typeof DestinationInput>;

export const DestinationPatch = Closed({
  name: Type.Optional(Name),
  settings: Type.Optional(SettingsInput),
  credentials: Type.Optional(CredentialsInput),
  interval_seconds: Type.Optional(Interval),
  enabled: Type.Optional(
    Type.Boolean({ description: "False pauses it. Enabled again, it continues where it stopped." }),
  ),
});
export type DestinationPatch = Static<typeof DestinationPatch>;

const Stream = Type.Object({
  table: Table,
  phase: OneOf(["old", "log"], {
    description: "`old`: reads the rows from before it was added. `log`: follows what is written.",
  }),
  lag_seconds: Nullable(
    Type.Number({ description: "The age of the newest row that is not sent for sure; null while it reads old rows." }),
  ),
  rows_sent: Type.Integer({ description: "A row counts each time that a later state of it is sent." }),
  batches_sent: Type.Integer(),
  last_sent_at: Nullable(Instant),
  failing_since: Nullable(Instant),
  last_error: Nullable(Type.String({ description: "Why the last attempt failed; null after a success." })),
  gap: Nullable(
    Type.Object(
      { from: Instant, until: Instant },
      { description: "Retention may have removed rows of this time before they were sent." },
    ),
  ),
});

const summary = {
  id: Type.String(),
  name: Type.String(),
  kind: Kind,
  settings: Settings,
  credentials_changed_at: Nullable(Instant),
  tables: Type.Array(Table),
  interval_seconds: Type.Integer(),
  enabled: Type.Boolean(),
  created_at: Instant,
  updated_at: Instant,
};
export const Destination = Type.Object(summary);
/** How far a destination is. */
export const DestinationState = Type.Object({
  status: OneOf(["ok", "failing", "paused"]),
  lag_seconds: Nullable(Type.Number({ description: "The largest of its tables." })),
  streams: Type.Array(Stream),
});
export const DestinationList = listing({
  item: Destination,
  finds: "a part of the name, or the beginning of the id, in any case",
  sorts: ["created_at", "updated_at", "name"],
  defaultSort: "-created_at",
  facets: { kind: Kind },
});

export const DestinationTested = Type.Object({
  ok: Type.Boolean(),
  error: Nullable(Type.String({ description: "What the far end said, or why there was no answer." })),
  duration_ms: Type.Integer(),
});
