import type { TidingsOptions } from "../api.ts";
import type { Answer, Environment, Init } from "../browser/environment.ts";

const GATEWAY = "/data-gateway/v1/";
const TIMEOUT_MS = 15_000;
/** A longer Retry-After is taken for a mistake: it would silence the application for as long. */
const LONGEST_PAUSE_S = 600;
/** The pause after a 429 without Retry-After. */
const UNSAID_PAUSE_S = 5;

/** The error of a call that failed. `status` is 0 where no answer came. */
export class TidingsError extends Error {
  readonly status: number;
  /** The service's stable code, or `network`. */
  readonly code: string;
  constructor(message: string, status: number, code: string) {
    super(message);
    this.name = "TidingsError";
    this.status = status;
    this.code = code;
  }
}

export interface Call {
  method?: string;
  /** The path below /data-gateway/v1/. */
  path: string;
  query?: Record<string, string | number | undefined>;
  body?: string;
  headers?: Record<string, string>;
  keepalive?: boolean;
}

export interface CallsOptions {
  env: Environment;
  baseUrl: string;
  apiKey: string;
  getPersonToken: TidingsOptions["getPersonToken"];
  /** Called when a pause that the service asked for is over. */
  resumed: () => void;
}

/** Makes the calls to the service: adds the key and the person token, renews the token, reads errors and keeps the service's pauses. */
export class Calls {
  /** Whether the key is public, so that it may be part of an address. */
  readonly isPublic: boolean;
  readonly #of: CallsOptions;
  readonly #base: string;
  #token: Promise<string | null> | undefined;
  #paused = false;

  constructor(options: CallsOptions) {
    this.#of = options;
    this.#base = options.baseUrl.replace(/\/+$/, "") + GATEWAY;
    this.isPublic = options.apiKey.startsWith("tid_pub_");
  }

  /** Returns an answer with a status below 400. @throws TidingsError */
  async send(call: Call): Promise<Answer> {
    for (let repeated = false; ; repeated = true) {
      if (this.#paused) throw new TidingsError("The service asked to wait.", 429, "rate_limited");
      const { answer, problem, bearer } = await this.#attempt(call).catch((error) => {
        throw error instanceof TidingsError ? error : new TidingsError(String(error), 0, "network");
      });
      if (answer) return answer;
      const stale = problem.status === 401 && problem.code.startsWith("person_token_");
      if (!stale || repeated || !this.#of.getPersonToken) throw problem;
      // Calls that failed on the same token renew it once.
      if (this.#token === bearer) this.forgetToken();
    }
  }

  /** Returns the address of a person's stream, and the headers for a client that can set them. */
  async stream(personId: string, inAddress: boolean): Promise<{ url: string; headers: Record<string, string> }> {
    const proof = await this.#tokenNow();
    const query: Record<string, string> = { person_id: personId };
    const headers: Record<string, string> = { accept: "text/event-stream" };
    if (inAddress) {
      query.api_key = this.#of.apiKey;
      if (proof) query.person_token = proof;
    } else {
      headers.authorization = `Bearer ${this.#of.apiKey}`;
      if (proof) headers["x-person-token"] = proof;
    }
    return { url: `${this.#base}in-app/messages/stream${queryOf(query)}`, headers };
  }

  /** The next call fetches a new token. */
  forgetToken(): void {
    this.#token = undefined;
  }

  #tokenNow(): Promise<string | null> {
    const { env, getPersonToken } = this.#of;
    if (!getPersonToken) return Promise.resolve(null);
    if (!this.#token) {
      const mine = within(env, Promise.resolve().then(getPersonToken));
      this.#token = mine;
      // A failure is not kept: the next call asks again.
      mine.catch(() => this.#token === mine && this.forgetToken());
    }
    return this.#token;
  }

  async #attempt({ method = "GET", path, query = {}, body, headers, keepalive }: Call) {
    const { env, apiKey } = this.#of;
    const bearer = this.#tokenNow();
    const proof = await bearer;
    const init: Init = { method, headers: { authorization: `Bearer ${apiKey}`, ...headers }, timeoutMs: TIMEOUT_MS };
    if (proof) init.headers["x-person-token"] = proof;
    if (body !== undefined) {
      init.headers["content-type"] = "application/json";
      init.body = body;
    }
    if (keepalive) init.keepalive = true;
    const answer = await env.fetch(this.#base + path + queryOf(query), init);
    if (answer.status < 400) return { answer };
    if (answer.status === 429 || answer.status === 503) this.#pause(answer);
    const problem = await problemOf(answer);
    return { problem, bearer };
  }

  #pause(answer: Answer): void {
    const { env, resumed } = this.#of;
    const asked = Number(answer.headers.get("retry-after")) || (answer.status === 429 ? UNSAID_PAUSE_S : 0);
    if (this.#paused || !(asked > 0)) return;
    this.#paused = true;
    // Chance spreads the clients, which would otherwise all return at the same moment.
    const seconds = Math.min(asked, LONGEST_PAUSE_S) * (1 + env.random() / 5);
    env.later(() => {
      this.#paused = false;
      resumed();
    }, seconds * 1_000);
  }
}

/** Rejects after 15 s: a promise of the page that never settles must not block every call. */
function within<T>(env: Environment, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = env.later(() => reject(new TidingsError("getPersonToken took too long", 0, "network")), TIMEOUT_MS);
    promise.then(resolve, reject).finally(cancel);
  });
}

function queryOf(query: Record<string, string | number | undefined>): string {
  const parts = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${encodeURIComponent(value)}`,
  );
  return parts.length > 0 ? `?${parts.join("&")}` : "";
}

async function problemOf(answer: Answer): Promise<TidingsError> {
  let problem: { code?: unknown; detail?: unknown } | null = null;
  try {
    problem = JSON.parse(await answer.text());
  } catch {
    // A proxy between us answers in HTML.
  }
  return new TidingsError(
    String(problem?.detail ?? `The service answered ${answer.status}.`),
    answer.status,
    String(problem?.code ?? "unknown"),
  );
}
