import { request } from "node:http";
import { expect, test } from "vitest";
import { testService } from "../../test/support/service.ts";
import { until } from "../../test/support/wait.ts";

const EMAIL = "/data-gateway/transactionals/email";
const MIB = 1024 * 1024;
const body = Buffer.from(
  JSON.stringify({
    identifiers: { email: "ada@example.test" },
    subject: "Hi",
    body: "<p>Hi</p>",
    attachments: { "a.txt": "QUJD".repeat(MIB / 2) },
  }),
);

const it = await testService();
const { port } = new URL(await it.service.listen());

// Counts the turns that were granted.
const { bodies } = it.service.ground.shares;
const { enter } = bodies;
let granted = 0;
bodies.enter = async (workspaceId) => {
  const leave = await enter(workspaceId);
  granted++;
  return leave;
};

/** Begins a trigger with a large body, whose second half is sent by `finish`. Its answer is undefined if it was cut off. */
function begin(key: string) {
  const answered = Promise.withResolvers<number | undefined>();
  const call = request({ port, path: EMAIL, method: "POST", headers: headersFor(key) }, (response) => {
    response.resume();
    answered.resolve(response.statusCode);
  });
  call.on("error", () => answered.resolve(undefined));
  call.write(body.subarray(0, body.length / 2));
  return {
    answer: answered.promise,
    finish: () => call.end(body.subarray(body.length / 2)),
    goAway: () => call.destroy(),
  };
}

const headersFor = (key: string) => ({
  authorization: `Bearer ${key}`,
  "content-type": "application/json",
  "content-length": body.length,
});

/** Whether an answer has come after everything else that could come had its turn. */
async function isAnswered(answer: Promise<unknown>): Promise<boolean> {
  let answered = false;
  void answer.then(() => {
    answered = true;
  });
  const small = await it.call("POST", EMAIL, {
    body: { identifiers: { email: "bob@example.test" }, subject: "Hi", body: "<p>Hi</p>" },
  });
  expect(small.status).toBe(202);
  return answered;
}

async function beginFirst() {
  const before = granted;
  const first = begin(it.secretKey);
  await until(() => granted === before + 1);
  return first;
}

test("a workspace has one large request at a time, and its small ones and those of others go on beside it", async () => {
  const first = await beginFirst();
  const second = begin(it.secretKey);
  second.finish();
  const other = begin((await it.another()).secretKey);
  other.finish();
  expect(await other.answer).toBe(202);
  expect(await isAnswered(second.answer)).toBe(false);
  first.finish();
  expect(await first.answer).toBe(202);
  expect(await second.answer).toBe(202);
});

test("a client that goes away in the middle, or while it waits, holds up nobody", async () => {
  const first = await beginFirst();
  const second = begin(it.secretKey);
  const third = begin(it.secretKey);
  third.finish();
  second.goAway();
  first.goAway();
  expect(await third.answer).toBe(202);
});
