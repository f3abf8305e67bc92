import { Context, toValueSync } from "liquidjs";
import { type Compiled, liquidProblem, templateError } from "./compile.ts";
import { engineOf, type Limits, MOST_OUTPUT } from "./engine.ts";

/** Thrown where a limit of time or memory ended the render, so that a thread with higher limits may try again. */
export class LimitReached extends Error {}

/** Renders one compiled part in this thread. @throws LimitReached, or Problem template_error */
export function renderHere(part: { name: string; html: boolean }, compiled: Compiled, scope: object, limits: Limits) {
  const liquid = engineOf(part.html);
  const context = new Context(
    scope,
    liquid.options,
    { sync: true, renderLimit: limits.renderMs, memoryLimit: limits.memory },
    { liquid },
  );
  const output = {
    buffer: "",
    write(piece: unknown) {
      this.buffer += typeof piece === "string" ? piece : String(piece ?? "");
      if (this.buffer.length > MOST_OUTPUT) throw templateError(part.name, TOO_LONG);
    },
  };
  try {
    return toValueSync(liquid.renderer.renderTemplates(compiled.templates, context, output)) as string;
  } catch (error) {
    const cause = (error as { originalError?: unknown }).originalError ?? error;
    if (/(?:template render|memory alloc) limit exceeded/.test((cause as Error).message)) {
      throw new LimitReached("limit", { cause: liquidProblem(part.name, error) });
    }
    throw (cause as Error).name === "Error" ? liquidProblem(part.name, cause) : liquidProblem(part.name, error);
  }
}

const TOO_LONG = `renders more than ${MOST_OUTPUT} characters`;
