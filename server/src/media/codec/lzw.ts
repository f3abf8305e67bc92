import { damaged } from "./refusal.ts";

// The compression of GIF: LZW with codes of growing length (GIF89a, appendix F). No maintained library gives the colours as they are stored,
// by their numbers; one that gives red, green and blue would have to guess the palettes again.

const MOST_CODES = 4_096;

/** Reads `count` colour numbers. @throws Refusal where the data ends early or makes no sense */
export function unpacked(data: Uint8Array, width: number, count: number): Uint8Array {
  const [clear, end] = [1 << width, (1 << width) + 1];
  const prefix = new Uint16Array(MOST_CODES);
  const suffix = new Uint8Array(MOST_CODES);
  const stack = new Uint8Array(MOST_CODES + 1);
  const out = new Uint8Array(count);
  let [bits, held, at, written] = [0, 0, 0, 0];
  let [next, length, before, first] = [end + 1, width + 1, -1, 0];
  while (written < count) {
    while (held < length) {
      if (at >= data.length) throw damaged("a picture of the GIF ends too early");
      bits |= (data[at++] as number) << held;
      held += 8;
    }
    const code = bits & ((1 << length) - 1);
    bits >>>= length;
    held -= length;
    if (code === clear) {
      [next, length, before] = [end + 1, width + 1, -1];
      continue;
    }
    if (code === end || code > next || (before < 0 && code > clear)) throw damaged("a picture of the GIF is wrong");
    let depth = 0;
    let one = code;
    if (code === next) {
      stack[depth++] = first;
      one = before;
    }
    for (; one > clear; one = prefix[one] as number) stack[depth++] = suffix[one] as number;
    first = one;
    out[written++] = first;
    while (depth > 0 && written < count) out[written++] = stack[--depth] as number;
    if (before >= 0 && next < MOST_CODES) {
      prefix[next] = before;
      suffix[next++] = first;
      if (next === 1 << length && length < 12) length++;
    }
    before = code;
  }
  return out;
}

/** A power of two, four times as many as there are codes, so that most are found at the first look. */
const SLOTS = 16_384;

/** Packs colour numbers of `width` bits (2 to 8), as sub-blocks with their lengths and the empty one at the end. */
export function packed(colors: Uint8Array, width: number): Uint8Array {
  const out = new Blocks(colors.length);
  const [clear, end] = [1 << width, (1 << width) + 1];
  const keys = new Int32Array(SLOTS).fill(-1);
  const codes = new Uint16Array(SLOTS);
  let [next, length] = [end + 1, width + 1];
  out.code(clear, length);
  let run = colors[0] as number;
  for (let i = 1; i < colors.length; i++) {
    const color = colors[i] as number;
    const key = (run << 8) | color;
    let slot = Math.imul(key, 0x9e3779b1) >>> 18;
    while (keys[slot] !== -1 && keys[slot] !== key) slot = (slot + 1) & (SLOTS - 1);
    if (keys[slot] === key) {
      run = codes[slot] as number;
      continue;
    }
    out.code(run, length);
    if (next === MOST_CODES) {
      out.code(clear, length);
      keys.fill(-1);
      [next, length] = [end + 1, width + 1];
    } else {
      if (next >= 1 << length) length++;
      keys[slot] = key;
      codes[slot] = next++;
    }
    run = color;
  }
  out.code(run, length);
  out.code(end, length);
  return out.ended();
}

/** Bits in sub-blocks of up to 255 bytes, each behind its length. */
class Blocks {
  #all: Uint8Array;
  #size = 1;
  #start = 0;
  #bits = 0;
  #held = 0;

  constructor(colors: number) {
    this.#all = new Uint8Array(1_024 + (colors >> 1));
  }

  code(code: number, length: number): void {
    this.#bits |= code << this.#held;
    this.#held += length;
    for (; this.#held >= 8; this.#held -= 8, this.#bits >>>= 8) this.#byte(this.#bits & 0xff);
  }

  ended(): Uint8Array {
    if (this.#held > 0) this.#byte(this.#bits & 0xff);
    const used = this.#size - this.#start - 1;
    this.#all[this.#start] = used;
    const whole = this.#all.slice(0, used > 0 ? this.#size + 1 : this.#size);
    whole[whole.length - 1] = 0;
    return whole;
  }

  #byte(byte: number): void {
    if (this.#size + 2 >= this.#all.length) {
      const more = new Uint8Array(this.#all.length * 2);
      more.set(this.#all);
      this.#all = more;
    }
    this.#all[this.#size++] = byte;
    if (this.#size - this.#start === 256) {
      this.#all[this.#start] = 255;
      this.#start = this.#size++;
    }
  }
}
