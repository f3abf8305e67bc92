import { Worker } from "node:worker_threads";
import { Problem } from "../../platform/http/index.ts";
import { busy, Turns } from "../../platform/limits/fair-share.ts";
import { MarkupError } from "../html/markup.ts";
import { templateError } from "../liquid/compile.ts";
import type { ThreadAnswer, ThreadWork } from "./thread.ts";

/** Two threads keep the two cores of a small machine busy for HARD_MS a render at most. */
const THREADS = 2;
/** A render that takes longer is killed with its thread: some filters ignore the library's own limit. */
const HARD_MS = 500;
/** The limit of a compile, which authors wait for and recipients never. */
const COMPILE_MS = 2_000;

/**
 * The kinds of work for threads. `first`: somebody waits for the message, so it goes before all other work. `held`: the most that may
 * wait for one workspace; more are refused, because each may take HARD_MS and a caller gives up after 30 s. `each`: the most of one
 * workspace that run at once.
 */
const KINDS = {
  /** The renders of a trigger call, whose caller waits for the response. */
  trigger: { first: true, held: 50, each: THREADS },
  /** The renders of a trigger's message when it is sent. There are as many as messages sent at once, and none may be refused. */
  sending: { first: true, held: Number.POSITIVE_INFINITY, each: THREADS },
  /** Broadcasts, a few renders at once, and content that authors save. */
  bulk: { first: false, held: Number.POSITIVE_INFINITY, each: THREADS },
  preview: { first: false, held: 8, each: 1 },
};

/** The workspace and the kind of a render. Heavy renders take turns by both. */
export interface RenderTurn {
  workspaceId: string;
  kind: keyof typeof KINDS;
}

interface Render {
  work: ThreadWork;
  turn: RenderTurn;
  resolve(texts: string[]): void;
  reject(error: Error): void;
}

interface Thread {
  worker: Worker;
  ready: boolean;
  render: Render | undefined;
  timer: NodeJS.Timeout | undefined;
}

const threads = new Set<Thread>();
/** The renders that wait, by workspace and kind. */
const first = new Turns<Render>();
const rest = new Turns<Render>();

const ownerOf = ({ kind, workspaceId }: RenderTurn): string => `${kind} ${workspaceId}`;

/**
 * Does heavy work in a thread that can be killed; threads start with the first work.
 * @throws Problem busy, template_error, MarkupError
 */
export function inThread(work: ThreadWork, turn: RenderTurn): Promise<string[]> {
  const { first: isFirst, held } = KINDS[turn.kind];
  const line = isFirst ? first : rest;
  const owner = ownerOf(turn);
  if (line.of(owner) >= held) {
    const what =
      "This workspace has too many heavy templates waiting to be rendered. Repeat the request after a moment.";
    return Promise.reject(busy(what));
  }
  return new Promise((resolve, reject) => {
    line.push(owner, { work, turn, resolve, reject });
    next();
  });
}

/** Whether an owner may run one more render. */
function mayRun(owner: string): boolean {
  const running = [...threads].filter(({ render }) => render && ownerOf(render.turn) === owner).length;
  return running < KINDS[owner.slice(0, owner.indexOf(" ")) as RenderTurn["kind"]].each;
}

const shift = (): Render | undefined => first.shift(mayRun) ?? rest.shift(mayRun);

function next(): void {
  for (const thread of threads) {
    if (!thread.ready || thread.render) continue;
    const render = shift();
    if (!render) return;
    assign(thread, render);
  }
  const starting = [...threads].filter((thread) => !thread.ready).length;
  if (first.size + rest.size > starting && threads.size < THREADS) start();
}

function assign(thread: Thread, render: Render): void {
  thread.render = render;
  thread.worker.ref();
  const late = () => {
    if (thread.render === render) end(thread, tooSlow(render));
  };
  // A result that arrived while this process was blocked is handled first: then the template was not slow.
  thread.timer = setTimeout(() => setImmediate(late), "mjml" in render.work ? COMPILE_MS : HARD_MS);
  thread.worker.postMessage(render.work);
}

function start(): void {
  const worker = new Worker(new URL("./thread.ts", import.meta.url), {
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 },
  });
  const thread: Thread = { worker, ready: false, render: undefined, timer: undefined };
  threads.add(thread);
  worker.on("message", (answer: "ready" | ThreadAnswer) => {
    if (answer === "ready") thread.ready = true;
    else settle(thread, answer);
    if (!thread.render) worker.unref();
    next();
  });
  worker.on("error", (error) => end(thread, failure(thread, error)));
}

function settle(thread: Thread, answer: ThreadAnswer): void {
  const render = thread.render;
  clearTimeout(thread.timer);
  thread.render = undefined;
  if ("texts" in answer) render?.resolve(answer.texts);
  else if ("fault" in answer) render?.reject(new MarkupError(answer.fault, answer.at));
  else render?.reject(new Problem("template_error", answer.detail, answer.options));
}

function end(thread: Thread, error: Error): void {
  if (!threads.delete(thread)) return;
  clearTimeout(thread.timer);
  const render = thread.render ?? (thread.ready ? undefined : shift());
  thread.render = undefined;
  void thread.worker.terminate();
  render?.reject(error);
  next();
}

const names = ({ work }: Render): string => ("parts" in work ? work.parts.map((part) => part.name).join(", ") : "body");

const tooSlow = (render: Render): Error =>
  "mjml" in render.work
    ? new MarkupError(`takes longer than ${COMPILE_MS} ms to compile`, 0)
    : templateError(names(render), `takes longer than ${HARD_MS} ms to render`);

function failure(thread: Thread, error: Error): Error {
  if (thread.render && "mjml" in thread.render.work) return new MarkupError("can't be compiled", 0);
  if ((error as { code?: string }).code === "ERR_WORKER_OUT_OF_MEMORY" && thread.render) {
    return templateError(names(thread.render), "needs too much memory to render", undefined, error);
  }
  return error;
}
