import type { Answer } from "../connect/client.ts";
import { columns } from "../terminal/columns.ts";
import { explain } from "../terminal/explain.ts";
import { Refused } from "../terminal/refused.ts";

/** The result of a step: a status for the table, and a text to show below its line. */
export interface Outcome<T> {
  status: string;
  value: T;
  show?: string;
}

export interface Steps {
  /** Runs one step, prints its line and keeps its time. @throws what the step throws, after noting the failure */
  step<T>(name: string, work: () => Promise<Outcome<T>>): Promise<T>;
  /** A row for each step. */
  rows: { step: string; status: string; ms: number }[];
  table(): string;
}

/** Notes the path of something that was created, so that it is removed at the end. `ended`: what must be called first. */
export type Made = (path: string, ended?: "archive") => void;

export function steps(print: (text: string) => void): Steps {
  const rows: Steps["rows"] = [];
  return {
    rows,
    async step(name, work) {
      const begun = performance.now();
      const note = (status: string) => {
        rows.push({ step: name, status, ms: Math.round((performance.now() - begun) * 10) / 10 });
      };
      try {
        const { status, value, show } = await work();
        note(status);
        print(`${rows.length}. ${name}: ${status}`);
        if (show) print(show);
        return value;
      } catch (error) {
        note("FAILED");
        print(`${rows.length}. ${name}: FAILED\n   ${explain(error).join("\n   ")}`);
        throw error;
      }
    },
    table: () =>
      columns(
        ["", "step", "status", "      time"],
        rows.map(({ step, status, ms }, i) => [String(i + 1), step, status, `${ms.toFixed(1)} ms`.padStart(10)]),
      ),
  };
}

/** @throws Refused with the text of the problem if the answer has another status */
export function expectStatus(answer: Answer, ...statuses: number[]): void {
  if (statuses.includes(answer.status)) return;
  const said = answer.body?.code ? `${answer.body.code}: ${answer.body.detail}` : JSON.stringify(answer.body);
  throw new Refused(`expected ${statuses.join(" or ")} and got ${answer.status} (${said})`);
}

/** @throws Refused if the condition is false */
export function expectThat(condition: boolean, should: string, got: unknown): void {
  if (!condition) throw new Refused(`${should}, and got ${JSON.stringify(got)}`);
}
