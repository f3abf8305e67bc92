import type { Scrub } from "../../../platform/scrub.ts";
import type { Tape } from "../protocol/tape.ts";

/** The greeting of a mail server that refuses the client (RFC 5321 3.1). */
export const REFUSAL = /^[45]\d\d[ -]/;

/** What nodemailer says besides commands and answers, and is worth showing: the message's size, and TLS. */
const WORTH = /mime message|upgraded/;

/** What follows is a password, or what stands for it. */
const LOGIN = /^(AUTH \S+) .*/;

type LogLine = (entry: { tnx?: string }, message?: string, ...values: unknown[]) => void;

export interface Transcript {
  options: { logger: Record<string, LogLine>; transactionLog: true };
  /** Names the next command that nodemailer masks although it is no secret: it masks all that a login method of our own sends. */
  name(command: string): void;
}

/** What nodemailer logs instead of a password, and of each command of a login method that it does not know. */
const MASKED = "/* secret */";

/**
 * Returns the options of nodemailer that record a conversation. Nodemailer itself hides what it sends to log in; the scrubber hides what the
 * server repeats. Nothing is recorded before a server has greeted as a mail server does and taken the EHLO, or has refused in its greeting:
 * a provider's settings can name any host and port, and the test must not show what else answers there.
 */
export function transcript(tape: Tape, scrub: Scrub): Transcript {
  const named: string[] = [];
  let greeted = false;
  let first = true;
  const held: [by: "us" | "them", text: string][] = [];
  const add = (by: "us" | "them", text: string) => tape.add(by, scrub(text));

  function said(by: "us" | "them", text: string): void {
    const refuses = by === "them" && first && REFUSAL.test(text);
    if (by === "them") first = false;
    held.push([by, text]);
    greeted ||= by === "them" && text.startsWith("250");
    if (greeted || refuses) for (const one of held.splice(0)) add(...one);
  }

  const line: LogLine = ({ tnx }, message = "", ...values) => {
    let next = 0;
    const text = message.replaceAll("%s", () => String(values[next++]));
    if (tnx === "client") said("us", text === MASKED ? (named.shift() ?? "***") : text.replace(LOGIN, "$1 ***"));
    else if (tnx === "server") said("them", text);
    else if (greeted && WORTH.test(text)) tape.add("note", text);
  };
  const logger = { debug: line, info: line, warn: () => {}, error: () => {} };
  return { options: { logger, transactionLog: true }, name: (command) => void named.push(command) };
}
