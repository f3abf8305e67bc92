import type { S3Config } from "../../platform/config.ts";
import type { Ground } from "../../platform/ground.ts";
import { createFetcher } from "../../platform/outbound-http/index.ts";
import { folderFiles } from "./folder.ts";
import { s3Files } from "./s3.ts";

/** Where the bytes of images are kept. A name is written with the same content only, so it may be written twice. */
export interface MediaFiles {
  /** Returns once the bytes would survive a power cut. @throws Problem unavailable */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Returns the bytes as a stream or whole, undefined where there is no such file. @throws Problem unavailable */
  read(name: string): Promise<{ bytes: NodeJS.ReadableStream | Buffer; size: number } | undefined>;
  /** Removes a file that need not exist. @throws Problem unavailable */
  remove(name: string): Promise<void>;
}

/** The names of images and thumbnails, which are also the last part of their addresses. */
const NAME = /^[0-9a-f]{40}(?:-small)?\.(png|jpg|gif|webp)$/;
const TYPES: Record<string, string> = { png: "image/png", jpg: "image/jpeg", gif: "image/gif", webp: "image/webp" };

/** Returns the content type of a file by its name, undefined where no image has such a name. */
export const typeOf = (name: string): string | undefined => TYPES[NAME.exec(name)?.[1] ?? ""];

/** Returns the store that the configuration names. */
export function filesOf({ config, clock }: Pick<Ground, "config" | "clock">): MediaFiles {
  const { s3 } = config.media;
  return s3 ? inBucket(s3, clock) : folderFiles(config.dataDir);
}

/** The operator names the bucket, so it may be in the operator's own network. */
const inBucket = (s3: S3Config, clock: Ground["clock"]): MediaFiles =>
  s3Files(s3, { fetchOut: createFetcher({ allowPrivate: true }).fetchOut, clock });
