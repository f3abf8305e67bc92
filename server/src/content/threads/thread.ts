import { parentPort } from "node:worker_threads";
import { Problem } from "../../platform/http/problem.ts";
import { MarkupError } from "../html/markup.ts";
import { mjmlHere } from "../html/mjml.ts";
import { compile, type Part } from "../liquid/compile.ts";
import { THREAD } from "../liquid/engine.ts";
import { LimitReached, renderHere } from "../liquid/render.ts";
import { rootOf, type Scope } from "../liquid/scope.ts";
import { textHere } from "../text.ts";

/** The result of a thread: the texts in order, or the error as plain data. */
export type ThreadAnswer =
  | { texts: string[] }
  | { detail: string; options: Record<string, unknown> }
  | { fault: string; at: number };

/** Parts to render, HTML to convert to text, or MJML to compile. */
export type ThreadWork = { parts: Part[]; scope: Scope } | { html: string } | { mjml: string };

parentPort?.on("message", (work: ThreadWork) => parentPort?.postMessage(answer(work)));
parentPort?.postMessage("ready");

function answer(work: ThreadWork): ThreadAnswer {
  if ("html" in work) return { texts: [textHere(work.html)] };
  return "mjml" in work ? compiled(work.mjml) : rendered(work.parts, work.scope);
}

function compiled(mjml: string): ThreadAnswer {
  try {
    return { texts: [mjmlHere(mjml)] };
  } catch (error) {
    // After an internal error the compiler stays broken, so the thread ends with it.
    if (!(error instanceof MarkupError)) throw error;
    return { fault: error.message, at: error.at };
  }
}

function rendered(parts: Part[], scope: Scope): ThreadAnswer {
  try {
    const data = rootOf(scope);
    return { texts: parts.map((part) => renderHere(part, compile(part), data, THREAD)) };
  } catch (error) {
    const problem = error instanceof LimitReached ? error.cause : error;
    if (!(problem instanceof Problem)) throw error;
    const { errors, extra } = problem.options;
    return { detail: problem.message, options: { errors, extra } };
  }
}
