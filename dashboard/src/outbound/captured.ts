import type { Captured as CapturedShape } from "@tidings/contract/messages/outbound";
import type { Static } from "typebox";

export type Captured = Static<typeof CapturedShape>;

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** The line by which one recognises it: the subject, the title, or the text itself. */
export const titleOf = ({ message }: Captured): string | undefined =>
  text(message.subject) ?? text(message.title) ?? text(message.body);

export const htmlOf = ({ message }: Captured): string | undefined => text(message.html);
export const textOf = ({ message }: Captured): string | undefined => text(message.text);

/** Writes an address as mail programs do. */
export function addressOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return text(value);
  const { name, address } = value as { name?: string; address?: string };
  return name ? `${name} <${address}>` : address;
}
