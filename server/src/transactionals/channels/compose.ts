import { checkParts, misfits, missingFields, type Part, type Use } from "../../content/index.ts";
import { type CallOptions, type Composed, compose, type Source } from "../../outbound/index.ts";
import { Problem } from "../../platform/http/index.ts";
import { nextTurn, turnIsOver } from "../../platform/turns.ts";
import type { CallFacts, Input } from "./channel.ts";

/** A definition's content with the fields that the call gives over it. */
export function overlaid(
  definition: Record<string, unknown> | undefined,
  call: object,
  names: readonly string[],
): Record<string, unknown> {
  const content: Record<string, unknown> = { ...definition };
  const given = call as Record<string, unknown>;
  for (const name of names) if (given[name] !== undefined) content[name] = given[name];
  return content;
}

/**
 * Composes the message of a call. The call's own texts are written now, so they are checked as those that are saved.
 * @throws Problem message_data_missing, message_data_invalid, and what composing throws
 */
export async function composeCall(
  source: Source,
  input: Input,
  facts: CallFacts,
  call: CallOptions,
): Promise<Composed> {
  const { parts } = source;
  const trigger = input.message_data ?? {};
  while (turnIsOver()) await nextTurn();
  checkParts(parts.filter(({ name }) => (input as Record<string, unknown>)[name] !== undefined));
  checkData(parts, trigger);
  return compose(source, { ...facts, trigger, kind: "trigger", call });
}

const KINDS: Record<Use, string> = { list: "a list", number: "a number", text: "a text" };
const pointerTo = (name: string): string => `/message_data/${name.replaceAll(".", "/")}`;

/** Holds that the call carries what the content reads, as what it uses it. */
function checkData(parts: Part[], trigger: Record<string, unknown>): void {
  const missing = missingFields(parts, trigger);
  if (missing.length > 0) {
    throw new Problem(
      "message_data_missing",
      `The content needs message_data that the call does not carry: ${missing.join(", ")}.`,
      {
        errors: missing.map((name) => ({ pointer: pointerTo(name), message: "is missing" })),
        extra: { fields: missing },
      },
    );
  }
  const wrong = misfits(parts, trigger);
  if (wrong.length === 0) return;
  const fields = wrong.map(({ name }) => name);
  throw new Problem(
    "message_data_invalid",
    `The content uses message_data as something else than the call carries: ${wrong.map(({ name, use }) => `${name} must be ${KINDS[use]}`).join(", ")}.`,
    {
      errors: wrong.map(({ name, use }) => ({ pointer: pointerTo(name), message: `must be ${KINDS[use]}` })),
      extra: { fields },
    },
  );
}
