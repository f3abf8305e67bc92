import dns from "node:dns";
import { Resolver } from "node:dns/promises";

/**
 * What the DNS says to one question. `none`: the name exists without such a record. `nothing`: neither the name nor any below it exists.
 * `unanswered`: no answer came in time, or a faulty one.
 */
export type Found<T> = { kind: "found"; values: T[] } | { kind: "none" | "nothing" | "unanswered" };

/** The questions that a check of a domain asks. */
export interface Lookups {
  txt(name: string): Promise<Found<string>>;
  mx(name: string): Promise<Found<string>>;
  /** Ends the questions under way: each is then unanswered. */
  cancel(): void;
}

/** One question: a server that lost it is asked once more. A check asks up to 45, and ends after CHECK_MS. */
const QUESTION_MS = 1_500;
const TRIES = 2;
/** The most records of one name that are read. */
const MOST_RECORDS = 50;

/** Asks the name servers of this machine. */
export function dnsLookups(): Lookups {
  const resolver = new Resolver({ timeout: QUESTION_MS, tries: TRIES });
  // Those of dns.setServers(), where they were set. A new resolver would read the machine's.
  resolver.setServers(dns.getServers());
  return {
    txt: (name) => answerOf(resolver.resolveTxt(name).then((records) => records.map((parts) => parts.join("")))),
    mx: (name) =>
      answerOf(
        resolver
          .resolveMx(name)
          .then((records) =>
            records
              .sort((a, b) => a.priority - b.priority)
              .map(({ priority, exchange }) => `${priority} ${exchange || "."}`),
          ),
      ),
    cancel: () => resolver.cancel(),
  };
}

async function answerOf(question: Promise<string[]>): Promise<Found<string>> {
  try {
    return { kind: "found", values: (await question).slice(0, MOST_RECORDS) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENODATA") return { kind: "none" };
    return { kind: code === "ENOTFOUND" ? "nothing" : "unanswered" };
  }
}
