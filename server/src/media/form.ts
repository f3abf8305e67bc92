import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy } from "@fastify/busboy";
import { ImageFields, MOST_IMAGE_BYTES } from "@tidings/contract/messages/media";
import type { FastifyRequest } from "fastify";
import { badField, Problem } from "../platform/http/index.ts";

/** What a form with an image contains. */
export interface Form {
  file: Buffer;
  name: string;
  alt: string | null;
  /** Tells two forms apart, for an Idempotency-Key. */
  digest: Buffer;
}

/** Boundaries, headers of parts, and the two texts. */
const MOST_BESIDE_FILE = 64 * 1024;
export const MOST_BODY = MOST_IMAGE_BYTES + MOST_BESIDE_FILE;

/** 413 that also ends the connection: what the client still sends is not read. */
export const tooLarge = (): Problem =>
  new Problem("payload_too_large", `An image has at most ${MOST_IMAGE_BYTES / 1024 / 1024} MiB. Make it smaller.`, {
    headers: { connection: "close" },
  });

/** Reads a form of one file and texts. @throws Problem unsupported_media_type, invalid_request, payload_too_large */
export async function readForm({ body, headers }: FastifyRequest): Promise<Form> {
  if (!(body instanceof Readable))
    throw new Problem("unsupported_media_type", "Send the image as the field `file` of multipart/form-data.");
  const parts = new Parts();
  try {
    await pipeline(body, parserOf(headers, parts));
  } catch (error) {
    throw parts.fault ?? malformed(error);
  }
  if (parts.fault) throw parts.fault;
  const { file, texts } = parts;
  if (!file) throw badField("/file", "is missing: send the image as a file of the form");
  if (file.bytes.length === 0) throw badField("/file", "is empty");
  const name = texts.get("name") || nameFrom(file.name);
  const alt = texts.get("alt") || null;
  const digest = createHash("sha256")
    .update(JSON.stringify([name, alt]))
    .update(file.bytes)
    .digest();
  return { file: file.bytes, name, alt, digest };
}

const malformed = (cause: unknown): Problem =>
  cause instanceof Problem
    ? cause
    : new Problem("invalid_request", "The body is no complete multipart/form-data. Send the form again.", { cause });

/** The parts of a form as they come. The first fault is kept, and the rest is skipped. */
class Parts {
  file: { bytes: Buffer; name: string } | undefined;
  readonly texts = new Map<string, string>();
  fault: Problem | undefined;

  refuse(problem: Problem | undefined): void {
    this.fault ??= problem;
  }

  /** Returns what is wrong with it. */
  text(name: string, value: string, cut: boolean): Problem | undefined {
    const { maxLength, pattern } = (Object.hasOwn(ImageFields, name) ? ImageFields[name as "alt"] : {}) as {
      maxLength?: number;
      pattern?: string;
    };
    if (maxLength === undefined || pattern === undefined) return badField(`/${name.slice(0, 100)}`, "is not known");
    if (this.texts.has(name)) return badField(`/${name}`, "is there twice");
    const text = value.trim();
    if (cut || [...text].length > maxLength) return badField(`/${name}`, `must have at most ${maxLength} characters`);
    if (!new RegExp(pattern, "u").test(text))
      return badField(`/${name}`, "must have no line breaks or other control characters");
    this.texts.set(name, text);
    return undefined;
  }
}

function parserOf(headers: IncomingHttpHeaders, parts: Parts): InstanceType<typeof Busboy> {
  const parser = new Busboy({
    headers: headers as { "content-type": string },
    limits: { files: 2, fileSize: MOST_IMAGE_BYTES + 1, fields: 5, fieldSize: 8_192, parts: 8, headerPairs: 20 },
  });
  parser.on("file", (field, stream, filename) => {
    const chunks: Buffer[] = [];
    let size = 0;
    if (field !== "file") parts.refuse(badField(`/${String(field).slice(0, 100)}`, "is no file: the image is `file`"));
    else if (parts.file) parts.refuse(badField("/file", "is there twice: send one image at a time"));
    else parts.file = { bytes: Buffer.alloc(0), name: String(filename ?? "") };
    const mine = parts.fault ? undefined : parts.file;
    stream.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > MOST_IMAGE_BYTES) parser.destroy(tooLarge());
      else if (mine) chunks.push(chunk);
    });
    stream.on("end", () => {
      if (mine) mine.bytes = Buffer.concat(chunks);
    });
    // The pipeline reports the error.
    stream.on("error", () => undefined);
  });
  parser.on("field", (name, value, nameCut, cut) => parts.refuse(parts.text(name, value, nameCut || cut)));
  parser.on("filesLimit", () => parts.refuse(badField("/file", "is there twice: send one image at a time")));
  parser.on("fieldsLimit", () => parts.refuse(new Problem("invalid_request", "The form has too many fields.")));
  parser.on("partsLimit", () => parts.refuse(new Problem("invalid_request", "The form has too many parts.")));
  return parser;
}

/** The name of a file without its folders and what can't be shown in one line. */
function nameFrom(filename: string): string {
  const last = filename.split(/[/\\]/).at(-1) ?? "";
  const shown = last.replaceAll(/[\p{Cc}\p{Cs}]/gu, "").trim();
  return [...shown].slice(0, 200).join("") || "Image";
}
