import { resolve } from "node:path";
import { headersOf, type NatsServers, natsServers, shareOf, type TracingConfig } from "./compound-settings.ts";

/** Everything that the environment decides. The only file that reads process.env; docs/config.md lists the same names. */
export interface Config {
  host: string;
  port: number;
  publicUrl: string;
  databaseUrl: string | undefined;
  /** The PostgreSQL behind `databaseUrl`, if that is a pooler in transaction mode. */
  databaseDirectUrl: string | undefined;
  /** A standby of this database, which answers exports and queries over many rows while it is at most so far behind. */
  readReplica: { url: string; mostLagMs: number } | undefined;
  dataDir: string;
  nats: NatsServers | undefined;
  roles: ReadonlySet<Role>;
  encryptionKey: Buffer | undefined;
  bootstrapSecretKey: string | undefined;
  bootstrapPublicKey: string | undefined;
  /** The first member, if the database has none. */
  bootstrapAdmin: { email: string; password: string } | undefined;
  logLevel: string;
  logFormat: "json" | "pretty";
  /** Where the operator's routes (metrics) are served; undefined: on the main port, to callers on this machine only. */
  operations: { host: string; port: number } | undefined;
  allowPrivateNetwork: boolean;
  /** Undefined: as many as the file descriptors allow; see placesFor. */
  maxConnections: number | undefined;
  connectionsPerAddress: number | undefined;
  streamsPerKey: number | undefined;
  media: MediaConfig;
  /** Where traces are sent; undefined: nowhere, and none are made. */
  tracing: TracingConfig | undefined;
  /** Hosts that web push endpoints may have in addition to those of the browser vendors. */
  webPushHosts: readonly string[];
  /** Whether npm started this process: npm sets npm_lifecycle_event for the programs that it runs. */
  startedByNpm: boolean;
}
export type Role = "api" | "worker";

export interface MediaConfig {
  /** What stands before the names of images in their addresses; undefined: `/media` of the public URL. */
  url: string;
  /** The most bytes of one workspace. */
  mostBytes: number;
  /** Where images are kept; undefined: in the data folder. */
  s3: S3Config | undefined;
}

/** A bucket of Amazon S3 or of a store with its API. */
export interface S3Config {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Lists all problems of the configuration, one readable line each. */
export class ConfigError extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

const LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];

/** The name of each variable and its reader. A reader gets undefined for an unset variable, and throws the sentence of its problem. */
const readers = {
  HOST: (text = "127.0.0.1") => text,
  PORT: (text = "4000") => whole(text, 0, 65_535),
  PUBLIC_URL: (text?: string) => (text === undefined ? undefined : webAddress(text)),
  DATABASE_URL: (text?: string) => postgresAddress(text),
  DATABASE_DIRECT_URL: (text?: string) => postgresAddress(text),
  DATABASE_READ_URL: (text?: string) => postgresAddress(text),
  DATABASE_READ_LAG_SECONDS: (text?: string) => (text === undefined ? undefined : whole(text, 2, 3_600)),
  DATA_DIR: (text = "./.tidings") => resolve(text),
  NATS_URL: (text?: string) => (text === undefined ? undefined : natsServers(text)),
  ROLES: (text = "api,worker") => roles(text),
  ENCRYPTION_KEY: (text?: string) => (text === undefined ? undefined : key32(text)),
  BOOTSTRAP_SECRET_KEY: (text?: string) => bootstrapKey(text, "tid_sec_"),
  BOOTSTRAP_PUBLIC_KEY: (text?: string) => bootstrapKey(text, "tid_pub_"),
  BOOTSTRAP_ADMIN_EMAIL: (text?: string) => text,
  BOOTSTRAP_ADMIN_PASSWORD: (text?: string) => text,
  LOG_LEVEL: (text = "info") => oneOf(text, LEVELS),
  LOG_FORMAT: (text = process.stdout.isTTY ? "pretty" : "json") => oneOf(text, ["json", "pretty"]) as "json" | "pretty",
  OPERATIONS_HOST: (text?: string) => text,
  OPERATIONS_PORT: (text?: string) => (text === undefined ? undefined : whole(text, 0, 65_535)),
  ALLOW_PRIVATE_NETWORK: (text = "false") => oneOf(text, ["true", "false"]) === "true",
  MAX_CONNECTIONS: (text?: string) => (text === undefined ? undefined : whole(text, 1, 1_000_000)),
  CONNECTIONS_PER_ADDRESS: (text?: string) => (text === undefined ? undefined : whole(text, 1, 1_000_000)),
  STREAMS_PER_KEY: (text?: string) => (text === undefined ? undefined : whole(text, 1, 1_000_000)),
  WEB_PUSH_HOSTS: (text = "") => hosts(text),
  MEDIA_URL: (text?: string) => (text === undefined ? undefined : webAddress(text)),
  MEDIA_QUOTA_MIB: (text = "1024") => whole(text, 1, 100_000_000),
  MEDIA_S3_BUCKET: (text?: string) => bucket(text),
  MEDIA_S3_ENDPOINT: (text?: string) => (text === undefined ? undefined : webAddress(text)),
  MEDIA_S3_REGION: (text = "us-east-1") => text,
  MEDIA_S3_ACCESS_KEY_ID: (text?: string) => text,
  MEDIA_S3_SECRET_ACCESS_KEY: (text?: string) => text,
  OTEL_EXPORTER_OTLP_ENDPOINT: (text?: string) => (text === undefined ? undefined : webAddress(text)),
  OTEL_EXPORTER_OTLP_HEADERS: (text = "") => headersOf(text),
  OTEL_SERVICE_NAME: (text = "tidings") => text,
  OTEL_TRACES_SAMPLER_ARG: (text = "1") => shareOf(text),
};

/** The variables that Tidings reads, for the test that compares them with docs/config.md. */
export const variables = Object.keys(readers);

/** Reads the configuration. @throws ConfigError that names every wrong variable, without the values: they may be secrets */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = [];
  function read<K extends keyof typeof readers>(name: K): ReturnType<(typeof readers)[K]> {
    const text = env[name]?.trim() || undefined;
    try {
      return readers[name](text) as ReturnType<(typeof readers)[K]>;
    } catch (reason) {
      problems.push(`${name} ${String(reason)}`);
      return undefined as ReturnType<(typeof readers)[K]>;
    }
  }
  const [host, port] = [read("HOST"), read("PORT")];
  const [operationsHost, operationsPort] = [read("OPERATIONS_HOST"), read("OPERATIONS_PORT")];
  const [email, password] = [read("BOOTSTRAP_ADMIN_EMAIL"), read("BOOTSTRAP_ADMIN_PASSWORD")];
  if ((email === undefined) !== (password === undefined))
    problems.push("BOOTSTRAP_ADMIN_EMAIL and BOOTSTRAP_ADMIN_PASSWORD belong together: set both or none");
  const [readUrl, lagSeconds] = [read("DATABASE_READ_URL"), read("DATABASE_READ_LAG_SECONDS")];
  const publicUrl = read("PUBLIC_URL") ?? `http://localhost:${port}`;
  const config: Config = {
    host,
    port,
    publicUrl,
    databaseUrl: read("DATABASE_URL"),
    databaseDirectUrl: read("DATABASE_DIRECT_URL"),
    readReplica: readUrl === undefined ? undefined : { url: readUrl, mostLagMs: (lagSeconds ?? 5) * 1_000 },
    dataDir: read("DATA_DIR"),
    nats: read("NATS_URL"),
    roles: read("ROLES"),
    encryptionKey: read("ENCRYPTION_KEY"),
    bootstrapSecretKey: read("BOOTSTRAP_SECRET_KEY"),
    bootstrapPublicKey: read("BOOTSTRAP_PUBLIC_KEY"),
    bootstrapAdmin: email === undefined || password === undefined ? undefined : { email, password },
    logLevel: read("LOG_LEVEL"),
    logFormat: read("LOG_FORMAT"),
    operations:
      operationsPort === undefined ? undefined : { host: operationsHost ?? "127.0.0.1", port: operationsPort },
    allowPrivateNetwork: read("ALLOW_PRIVATE_NETWORK"),
    maxConnections: read("MAX_CONNECTIONS"),
    connectionsPerAddress: read("CONNECTIONS_PER_ADDRESS"),
    streamsPerKey: read("STREAMS_PER_KEY"),
    webPushHosts: read("WEB_PUSH_HOSTS"),
    media: {
      url: read("MEDIA_URL") ?? `${publicUrl}/media`,
      mostBytes: read("MEDIA_QUOTA_MIB") * 1024 * 1024,
      s3: s3Of(read, problems),
    },
    tracing: tracingOf(read),
    startedByNpm: env.npm_lifecycle_event !== undefined,
  };
  if (config.databaseUrl && !env.ENCRYPTION_KEY?.trim()) {
    problems.push(
      "ENCRYPTION_KEY is required with DATABASE_URL: 32 random bytes in base64, e.g. from `openssl rand -base64 32`",
    );
  }
  if (config.databaseDirectUrl && !env.DATABASE_URL?.trim())
    problems.push("DATABASE_DIRECT_URL needs DATABASE_URL beside it: the address of the pooler");
  if (readUrl && !env.DATABASE_URL?.trim())
    problems.push("DATABASE_READ_URL needs DATABASE_URL beside it: the address of its primary");
  if (lagSeconds !== undefined && !env.DATABASE_READ_URL?.trim())
    problems.push("DATABASE_READ_LAG_SECONDS needs DATABASE_READ_URL beside it");
  if (operationsHost !== undefined && operationsPort === undefined && !env.OPERATIONS_PORT?.trim())
    problems.push("OPERATIONS_HOST needs OPERATIONS_PORT beside it");
  if (operationsPort !== undefined && operationsPort !== 0 && operationsPort === port)
    problems.push("OPERATIONS_PORT must be another port than PORT");
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

type Read = <K extends keyof typeof readers>(name: K) => ReturnType<(typeof readers)[K]>;

function tracingOf(read: Read): TracingConfig | undefined {
  const endpoint = read("OTEL_EXPORTER_OTLP_ENDPOINT");
  const [headers, serviceName] = [read("OTEL_EXPORTER_OTLP_HEADERS"), read("OTEL_SERVICE_NAME")];
  const share = read("OTEL_TRACES_SAMPLER_ARG");
  return endpoint === undefined ? undefined : { endpoint, headers, serviceName, share };
}

/** The bucket for images, if one is named. Its access key must be named with it. */
function s3Of(read: Read, problems: string[]): S3Config | undefined {
  const [name, region, endpoint] = [read("MEDIA_S3_BUCKET"), read("MEDIA_S3_REGION"), read("MEDIA_S3_ENDPOINT")];
  const [accessKeyId, secretAccessKey] = [read("MEDIA_S3_ACCESS_KEY_ID"), read("MEDIA_S3_SECRET_ACCESS_KEY")];
  if (name === undefined) {
    if (endpoint !== undefined || accessKeyId !== undefined || secretAccessKey !== undefined)
      problems.push("MEDIA_S3_BUCKET is missing: the other variables of MEDIA_S3 say nothing without it");
    return undefined;
  }
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    problems.push("MEDIA_S3_BUCKET needs MEDIA_S3_ACCESS_KEY_ID and MEDIA_S3_SECRET_ACCESS_KEY beside it");
    return undefined;
  }
  return {
    bucket: name,
    region,
    endpoint: endpoint ?? `https://s3.${region}.amazonaws.com`,
    accessKeyId,
    secretAccessKey,
  };
}

function bucket(text?: string): string | undefined {
  if (text !== undefined && !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text))
    throw "must be the name of a bucket: 3 to 63 lower-case letters, digits, dots or hyphens";
  return text;
}

function whole(text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most)) throw `must be a whole number from ${least} to ${most}`;
  return value;
}

function postgresAddress(text?: string): string | undefined {
  if (text !== undefined && !/^postgres(ql)?:\/\//.test(text)) throw "must begin with postgres:// or postgresql://";
  return text;
}

function webAddress(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) throw "must be an http or https address";
  return text.replace(/\/+$/, "");
}

function roles(text: string): ReadonlySet<Role> {
  const names = text.split(",").map((name) => name.trim());
  if (!names.every((name) => name === "api" || name === "worker")) throw "must be api, worker or api,worker";
  return new Set(names as Role[]);
}

function key32(text: string): Buffer {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length !== 32) throw "must be 32 bytes in base64, e.g. from `openssl rand -base64 32`";
  return bytes;
}

function bootstrapKey(text: string | undefined, prefix: string): string | undefined {
  if (text !== undefined && !new RegExp(`^${prefix}[A-Za-z0-9_-]{8,200}$`).test(text)) {
    throw `must be ${prefix} followed by 8 to 200 letters, digits, _ or -`;
  }
  return text;
}

function hosts(text: string): string[] {
  const names = text.split(",").map((name) => name.trim().toLowerCase());
  const given = names.filter((name) => name !== "");
  if (!given.every((name) => /^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?$|^\[[0-9a-f:.]+\]$/.test(name)))
    throw "must be names of hosts without scheme, port and path, separated by commas; *.example.com is each host below example.com";
  return given;
}

function oneOf(text: string, allowed: string[]): string {
  if (!allowed.includes(text)) throw `must be one of ${allowed.join(", ")}`;
  return text;
}
