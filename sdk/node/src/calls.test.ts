import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { atEnd, until } from "../../../server/test/support/wait.ts";
import { waitBefore } from "./calls.ts";
import { TidingsError } from "./error.ts";
import { Tidings } from "./tidings.ts";

// The fake service answers as a service under stress does; test/service.test.ts uses the real service.

type Answer = (response: ServerResponse) => void;

/** Starts a fake service that gives these answers in turn, the last one for all further requests. */
async function fakeService(...answers: Answer[]) {
  const heard: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => {
      heard.push({ headers: request.headers, body });
      const answer = answers[Math.min(heard.length, answers.length) - 1] as Answer;
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  return { heard, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
const hangUp: Answer = (response) => response.destroy();
const silence: Answer = () => {};
const queued = { delivery_id: "dlv_1", person_id: "ada", status: "queued", queued_at: "2026-01-31T12:00:00.000Z" };
const client = (baseUrl: string, options = {}) => new Tidings({ baseUrl, secretKey: "tid_sec_test", ...options });
const email = { identifiers: { id: "ada" }, subject: "s", body: "b" };

describe("a call", () => {
  test.each([
    ["a connection that is dropped", hangUp],
    ["500", json(500, { code: "internal", detail: "no" })],
    ["502 of a proxy", json(502, "<html>")],
    ["503", json(503, { code: "unavailable", detail: "later" }, { "retry-after": "0" })],
    ["429", json(429, { code: "rate_limited", detail: "slower" }, { "retry-after": "0" })],
    ["409 idempotency_in_progress", json(409, { code: "idempotency_in_progress", detail: "wait" })],
  ])("is repeated after %s, with the same key and the same bytes", async (_name, trouble) => {
    const { heard, baseUrl } = await fakeService(trouble, trouble, json(202, queued));
    expect(await client(baseUrl).trigger.email(email)).toEqual(queued);
    expect(heard).toHaveLength(3);
    expect(new Set(heard.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    expect(heard[0]?.headers["idempotency-key"]).toMatch(/^[\w-]{36}$/);
    expect(new Set(heard.map(({ body }) => body)).size).toBe(1);
  });

  test("that needs something else is not repeated, and its error says what", async () => {
    const errors = [{ pointer: "/to", message: "must be an address" }];
    const problem = { code: "recipient_invalid", detail: "Give an address.", errors };
    const { heard, baseUrl } = await fakeService(json(422, problem, { "x-request-id": "req-7" }));
    const error = await client(baseUrl)
      .trigger.email(email)
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(TidingsError);
    expect(error).toMatchObject({
      code: "recipient_invalid",
      status: 422,
      requestId: "req-7",
      message: "Give an address.",
    });
    expect(error.errors).toEqual(errors);
    expect(error.problem).toEqual(problem);
    expect(heard).toHaveLength(1);
  });

  test("gives up after its retries, and two calls have two keys", async () => {
    const { heard, baseUrl } = await fakeService(json(503, { code: "unavailable", detail: "later" }));
    const tidings = client(baseUrl, { maxRetries: 1 });
    await expect(tidings.trigger.email(email)).rejects.toMatchObject({ code: "unavailable", status: 503 });
    await expect(tidings.trigger.email(email)).rejects.toMatchObject({ code: "unavailable" });
    expect(heard).toHaveLength(4);
    expect(new Set(heard.map(({ headers }) => headers["idempotency-key"])).size).toBe(2);
  });

  test("that gets no answer in time is a timeout, for each attempt anew", async () => {
    const { heard, baseUrl } = await fakeService(silence);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const calling = client(baseUrl, { timeoutMs: 1_500, maxRetries: 1 }).identify({ person_id: "ada" });
    const ended = expect(calling).rejects.toMatchObject({ code: "timeout", status: undefined });
    for (const attempt of [1, 2]) {
      await until(() => heard.length === attempt, `attempt ${attempt} at the service`);
      vi.advanceTimersByTime(1_500);
    }
    await ended;
    expect(heard).toHaveLength(2);
  });

  test("ends with its signal, also while it waits to come again", async () => {
    const { heard, baseUrl } = await fakeService(json(503, {}, { "retry-after": "30" }));
    const stop = new AbortController();
    const calling = client(baseUrl).identify({ person_id: "ada" }, { signal: stop.signal });
    const ended = expect(calling).rejects.toThrow("changed my mind");
    await until(() => heard.length === 1, "the first attempt");
    // By then the client has the answer and waits its 30 seconds.
    setTimeout(() => stop.abort(new Error("changed my mind")), 100);
    await ended;
    expect(heard).toHaveLength(1);
  });

  test("where nobody listens is a network error that says so, and never the key", async () => {
    const error = await client("http://127.0.0.1:9", { maxRetries: 0 })
      .identify({ person_id: "ada" })
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "network_error" });
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain("tid_sec");
  });

  test("is not led elsewhere: a redirect is no answer", async () => {
    const elsewhere = await fakeService(json(200, {}));
    const { baseUrl } = await fakeService(json(307, "", { location: elsewhere.baseUrl }));
    await expect(client(baseUrl).identify({ person_id: "ada" })).rejects.toMatchObject({
      code: "unexpected_answer",
      status: 307,
    });
    expect(elsewhere.heard).toEqual([]);
  });

  test("that is answered by something else than Tidings says so", async () => {
    const { baseUrl } = await fakeService((response) => response.writeHead(200).end("<html>hello"));
    await expect(client(baseUrl).identify({ person_id: "ada" })).rejects.toMatchObject({ code: "unexpected_answer" });
  });
});

test("waits grow with jitter, and are as long as Retry-After asks", () => {
  const unavailable = new TidingsError("unavailable", "", { status: 503 });
  const property = fc.property(
    fc.integer({ min: 1, max: 50 }),
    fc.double({ min: 0, max: 1, noNaN: true }),
    (attempt, random) => {
      const wait = waitBefore(unavailable, attempt, null, random) as number;
      expect(wait).toBeGreaterThanOrEqual(0);
      expect(wait).toBeLessThanOrEqual(Math.min(500 * 2 ** (attempt - 1), 20_000));
      expect(waitBefore(unavailable, attempt, "7", random)).toBe(7_000 + wait);
    },
  );
  fc.assert(property);
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-01-31T12:00:00.250Z") });
  onTestFinished(() => void vi.useRealTimers());
  expect(waitBefore(unavailable, 1, "Sat, 31 Jan 2026 12:00:10 GMT", 0)).toBe(9_750);
  expect(waitBefore(unavailable, 1, "whenever", 0)).toBe(0);
  expect(waitBefore(unavailable, 1, "3600", 0)).toBeUndefined();
  expect(waitBefore(new TidingsError("not_found", "", { status: 404 }), 1, "1", 0)).toBeUndefined();
});

test.each([
  [{ baseUrl: "tidings.example.com" }],
  [{ baseUrl: "ftp://x" }],
  [{ secretKey: "tid_pub_hunter2" }],
  [{ secretKey: "tid_sec_hunter2\r\nX: y" }],
  [{ timeoutMs: 0 }],
  [{ maxRetries: -1 }],
])("a client with %j is refused at once, without repeating a key", (wrong) => {
  const make = () => client("http://localhost:4000", wrong);
  expect(make).toThrow(TypeError);
  expect(make).not.toThrow("hunter2");
});
