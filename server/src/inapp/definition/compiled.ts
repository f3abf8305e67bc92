import { LRUCache } from "lru-cache";
import type { Queries } from "../../platform/db/index.ts";
import { versionsOf } from "./definition-store.ts";
import { compileVersion, type Version } from "./version.ts";

/** What a row says of its version. */
export interface VersionKey {
  message_id: string;
  message_version: number;
}

/** A row with its version, which is undefined where the database does not have it. */
export interface Versioned<Row> {
  row: Row;
  version: Version | undefined;
}

/** Bytes of compiled versions that a process keeps, about: 30,000 short ones. */
const MOST_KEPT = 64 * 1024 * 1024;
/** Bytes of a version besides its texts, and of one of its screens. */
const PLAIN = 1_500;
const SCREEN = 300;

/** The texts are there twice: in the definition, and in the JSON for sync. */
const bytesOf = ({ definition, wire, include, exclude }: Version): number =>
  PLAIN + SCREEN * (include.length + exclude.length) + wire.shared.length + JSON.stringify(definition).length;

/** The compiled versions of a message, by their numbers. */
interface OfMessage {
  versions: Map<number, Version>;
  bytes: number;
}

// The whole process shares them, and they are never invalidated: a version never changes.
const kept = new LRUCache<string, OfMessage>({ maxSize: MOST_KEPT, sizeCalculation: ({ bytes }) => bytes });

const keptVersion = ({ message_id, message_version }: VersionKey): Version | undefined =>
  kept.get(message_id)?.versions.get(message_version);

/** Returns the version of each row, if this process has all of them: sync then waits for nothing. */
export function keptVersions(rows: VersionKey[]): Version[] | undefined {
  const versions: Version[] = [];
  for (const row of rows) {
    const version = keptVersion(row);
    if (version === undefined) return undefined;
    versions.push(version);
  }
  return versions;
}

/**
 * Returns the version of each row, after it has read and compiled those that this process does not have; undefined for one that the
 * database does not have. All of them together may be more than the process keeps.
 */
export async function loadVersions(
  q: Queries,
  workspaceId: string,
  rows: VersionKey[],
): Promise<(Version | undefined)[]> {
  const versions = rows.map(keptVersion);
  const missing = rows.filter((_, i) => versions[i] === undefined);
  if (missing.length === 0) return versions;
  const found = new Map<string, Version>();
  for (const { id, version: number, definition } of await versionsOf(q, workspaceId, missing)) {
    const version = compileVersion(id, number, definition);
    found.set(`${id} ${number}`, version);
    keep(version);
  }
  return rows.map((row, i) => versions[i] ?? found.get(`${row.message_id} ${row.message_version}`));
}

function keep(version: Version): void {
  const { versions, bytes } = kept.get(version.messageId) ?? { versions: new Map<number, Version>(), bytes: 0 };
  const more = versions.has(version.version) ? 0 : bytesOf(version);
  // Another object: LRUCache measures an entry again only where it is one.
  kept.set(version.messageId, { versions: versions.set(version.version, version), bytes: bytes + more });
}
