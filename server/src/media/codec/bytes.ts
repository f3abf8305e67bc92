import { damaged } from "./refusal.ts";

/** A cursor over bytes that somebody sent. Reading over the end is a refusal. */
export class Bytes {
  readonly all: Uint8Array;
  readonly #view: DataView;
  at: number;

  constructor(all: Uint8Array, at = 0) {
    this.all = all;
    this.#view = new DataView(all.buffer, all.byteOffset, all.byteLength);
    this.at = at;
  }

  get left(): number {
    return this.all.length - this.at;
  }

  take(length: number): Uint8Array {
    if (length > this.left) throw damaged("it ends too early");
    this.at += length;
    return this.all.subarray(this.at - length, this.at);
  }

  skip(length: number): void {
    this.take(length);
  }

  u8(): number {
    return this.take(1)[0] as number;
  }

  u16(little = false): number {
    this.skip(2);
    return this.#view.getUint16(this.at - 2, little);
  }

  u32(little = false): number {
    this.skip(4);
    return this.#view.getUint32(this.at - 4, little);
  }

  /** Characters of one byte each. */
  text(length: number): string {
    return String.fromCharCode(...this.take(length));
  }
}

export const joined = (parts: Uint8Array[]): Uint8Array => {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};

export const ascii = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));
