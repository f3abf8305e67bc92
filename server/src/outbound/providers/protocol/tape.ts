import { isUtf8 } from "node:buffer";
import type { ConversationStep } from "@tidings/contract/messages/outbound";
import type { Scrub } from "../../../platform/scrub.ts";

/** The most steps of one conversation, and the most characters of one of them. A test takes under 30 steps. */
const MOST_STEPS = 200;
const MOST_TEXT = 2_000;

/** Records what a provider and we say to each other, for somebody who tests the provider. */
export interface Tape {
  /** Adds what one side said. `note` is what happened besides, such as TLS. The text must have no secrets any more. */
  add(by: ConversationStep["by"], text: string): void;
  steps(): ConversationStep[];
}

declare module "../../../platform/ground.ts" {
  interface Ground {
    /** Set only in the ground of a test of a provider: its calls are recorded. */
    tape?: Tape;
  }
}

export function createTape(): Tape {
  const began = performance.now();
  const steps: ConversationStep[] = [];
  return {
    add(by, text) {
      if (steps.length >= MOST_STEPS) return;
      const shown = text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)} …` : text;
      steps.push({ by, text: shown, ms: Math.round(performance.now() - began) });
    },
    steps: () => [...steps],
  };
}

/** Secrets that are made for a single call and are named as OAuth names them (RFC 6749, RFC 7523), in JSON and in forms. */
const TOKENS = /((?:access_token|refresh_token|id_token|assertion)(?:["']\s*:\s*["']|=))[^"'&\s]+/g;
/** They are credentials as a whole, whatever their value. */
const HIDDEN_HEADER = /^(?:authorization|proxy-authorization|cookie|set-cookie)$/i;
const HEADERS = 25;

interface Spoken {
  /** `POST https://...` or `HTTP 401`. */
  line: string;
  headers: Record<string, unknown>;
  body: string | Buffer;
}

/** Returns a request or an answer as a text, without credentials. The secrets are removed before the text is cut. */
export function spoken({ line, headers, body }: Spoken, scrub: Scrub): string {
  const lines = Object.entries(headers)
    .filter(([name, value]) => value !== undefined && !HIDDEN_HEADER.test(name) && !name.startsWith(":"))
    .slice(0, HEADERS)
    .map(([name, value]) => `${name}: ${String(value)}`);
  const text = typeof body !== "string" && !isUtf8(body) ? `<${body.length} bytes>` : body.toString();
  return scrub([line, ...lines, ...(text === "" ? [] : ["", text])].join("\n")).replaceAll(TOKENS, "$1***");
}
