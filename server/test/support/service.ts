import { randomBytes, randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DestinationStream, pino } from "pino";
import { createService, type Service } from "../../src/process/index.ts";
import { readConfig } from "../../src/platform/config.ts";
import type { Clock } from "../../src/platform/time/clock.ts";
import { createWorkspace } from "../../src/workspaces/index.ts";
import { answersOf } from "./answers.ts";
import { testDatabase } from "./database.ts";
import { atEnd } from "./wait.ts";

/** A clock that moves only when the test moves it. */
export interface TestClock extends Clock {
  set(instant: string | Date): void;
  forward(ms: number): void;
}

export function testClock(start: string | Date = new Date()): TestClock {
  let now = new Date(start);
  return {
    now: () => new Date(now),
    set: (instant) => {
      now = new Date(instant);
    },
    forward: (ms) => {
      now = new Date(now.getTime() + ms);
    },
  };
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  body: any;
}

export interface CallOptions {
  key?: string | null;
  body?: unknown;
  headers?: Record<string, string>;
  /** The raw body, sent instead of `body`. */
  raw?: string | Buffer;
}

export interface TestService {
  service: Service;
  databaseUrl: string;
  workspaceId: string;
  secretKey: string;
  publicKey: string;
  /** Makes a request without a socket, by default with the secret key; `key: null` sends none. */
  call(method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE", url: string, options?: CallOptions): Promise<Answer>;
  /** Creates another workspace with its own keys. */
  another(name?: string): Promise<{ workspaceId: string; secretKey: string; publicKey: string }>;
}

export interface TestServiceOptions {
  clock?: Clock;
  roles?: string;
  databaseUrl?: string;
  encryptionKey?: Buffer;
  env?: Record<string, string>;
  /** Whether background work has a thread of its own, as in `tidings serve`. */
  threads?: boolean;
  /** Receives every line of the log, at every level. */
  logTo?: DestinationStream;
}

/** The addresses of the tests' push services, and of some that are never called. */
const PUSH = { WEB_PUSH_HOSTS: "127.0.0.1,localhost,push.example,push.test" };

/** Starts the whole service on its own database. `roles` defaults to api; tests that need the worker pass it. */
export async function testService(options: TestServiceOptions = {}): Promise<TestService> {
  const databaseUrl = options.databaseUrl ?? (await testDatabase());
  const DATA_DIR = join(tmpdir(), `tidings-files-${randomUUID()}`);
  const env = { PORT: "0", ROLES: options.roles ?? "api", LOG_LEVEL: "silent", DATA_DIR, ...PUSH, ...options.env };
  const config = readConfig(env);
  const answers = answersOf();
  const service = await createService(config, {
    onAnswer: answers.take,
    databaseUrl,
    encryptionKey: options.encryptionKey ?? randomBytes(32),
    log: options.logTo ? pino({ level: "trace" }, options.logTo) : pino({ level: process.env.TEST_LOG ?? "silent" }),
    passwordCost: { ln: 4, p: 1 },
    ...(options.clock && { clock: options.clock }),
    ...(options.threads && { threads: true }),
  });
  atEnd(async () => {
    // A stop lets connections linger for a second, on which a client might just be sending a request.
    service.app.server.closeIdleConnections();
    await service.stop();
    await rm(DATA_DIR, { recursive: true, force: true });
    answers.compare(service);
  });
  const another = async (name = "Test workspace") => {
    const made = await service.ground.db.transaction((tx) => createWorkspace(tx, name));
    return { workspaceId: made.workspace.id, secretKey: made.secretKey, publicKey: made.publicKey };
  };
  const first = await another();
  return {
    service,
    databaseUrl,
    ...first,
    another,
    call: (method, url, call = {}) => inject(service, first.secretKey, { method, url, call }),
  };
}

async function inject(
  service: Service,
  secretKey: string,
  { method, url, call }: { method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"; url: string; call: CallOptions },
): Promise<Answer> {
  const key = call.key === undefined ? secretKey : call.key;
  const payload = call.raw ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
  const response = await service.app.inject({
    method,
    url,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(payload !== undefined && { "content-type": "application/json" }),
      ...call.headers,
    },
    ...(payload !== undefined && { payload }),
  });
  const json = /json/.test(String(response.headers["content-type"]));
  return {
    status: response.statusCode,
    headers: response.headers as Record<string, string>,
    body: json ? response.json() : response.body,
  };
}
