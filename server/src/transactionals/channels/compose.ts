import { checkParts, misfits, missingFields, type Part, type Use } from "../../content/index.ts";
import { type CallOptions, type Composed, compose, type Source } from "../../outbound/index.ts";
import { Problem } from "../../platform/http/index.ts";
import { nextTurn, turnIsOver } from "../../platform/turns.ts";
import type { CallFacts, Input } from "./channel.ts";

/** Returns a definition's content, overridden by the fields that the call gives. */
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
 * Composes the message of a call. The call's own texts are checked by the rules of saved texts.
 * @throws Problem message_data_missing, message_data_invalid, and problems of composing
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
  return compose(source, { ...facts, cause: { trigger }, kind: "trigger", call });
}

const TYPES: Record<Use, string> = { list: "a list", number: "a number", text: "a text" };
const pointerTo = (name: string): string => `/message_data/${name.replaceAll(".", "/")}`;

/** Checks that the call has all data that the content reads, in the types that the content needs. @throws Problem */
function checkData(parts: Part[], trigger: Record<string, unknown>): void {
  const missing = missingFields(parts, trigger);
  if (missing.length > 0) {
    throw new Problem(
      "message_data_missing",
      `The content needs message_data that the call does not have: ${missing.join(", ")}.`,
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
    `The content needs message_data of other types: ${wrong.map(({ name, use }) => `${name} must be ${TYPES[use]}`).join(", ")}.`,
    {
      errors: wrong.map(({ name, use }) => ({ pointer: pointerTo(name), message: `must be ${TYPES[use]}` })),
      extra: { fields },
    },
  );
}
