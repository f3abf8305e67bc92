import { columns } from "../columns.ts";
import { explain } from "../explain.ts";
import { Refused } from "../refused.ts";
import type { Answer } from "../client.ts";

/** What a step came to: a word for the table, and what to show below its line. */
export interface Outcome<T> {
  status: string;
  value: T;
  show?: string;
}

export interface Steps {
  /** Runs one step, prints its line and keeps its time. @throws what the step throws, after noting the failure */
  step<T>(name: string, work: () => Promise<Outcome<T>>): Promise<T>;
  table(): string;
}

export function steps(print: (text: string) => void): Steps {
  const rows: string[][] = [];
  return {
    async step(name, work) {
      const begun = performance.now();
      const note = (status: string) => {
        const time = `${(performance.now() - begun).toFixed(1)} ms`;
        rows.push([String(rows.length + 1), name, status, time.padStart(10)]);
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
    table: () => columns(["", "step", "status", "      time"], rows),
  };
}

/** @throws Refused with the problem's own words where the answer has another status */
export function expectStatus(answer: Answer, ...statuses: number[]): void {
  if (statuses.includes(answer.status)) return;
  const said = answer.body?.code ? `${answer.body.code}: ${answer.body.detail}` : JSON.stringify(answer.body);
  throw new Refused(`expected ${statuses.join(" or ")} and got ${answer.status} (${said})`);
}

/** @throws Refused where the answer is not as it should be */
export function expectThat(condition: boolean, should: string, got: unknown): void {
  if (!condition) throw new Refused(`${should}, and got ${JSON.stringify(got)}`);
}
