import { get, type IncomingMessage } from "node:http";
import { expect, onTestFinished, test, vi } from "vitest";
import { testDatabase } from "../support/database.ts";
import { haveFiles } from "../support/network/event-sources.ts";
import { serve } from "../support/tidings.ts";
import { until } from "../support/wait.ts";

// A process with the usual limit of 1,024 open files, and an application that opens more streams than that.

vi.setConfig({ testTimeout: 120_000 });

const FILES = 1_024;
const STREAMS = 1_468;
/** 3 of 4 of the streams, which are 4 of 5 of the connections: those are the files less a quarter. */
const OF_ONE_KEY = 460;
const publicKey = "tid_pub_descriptors-test";
const env = {
  DATABASE_URL: await testDatabase(),
  ENCRYPTION_KEY: Buffer.alloc(32, 9).toString("base64"),
  BOOTSTRAP_SECRET_KEY: "tid_sec_descriptors-test",
  BOOTSTRAP_PUBLIC_KEY: publicKey,
};

test.skipIf(!haveFiles(STREAMS + 1_000))(
  "1,468 streams of one public key leave files for /readyz, requests and the database",
  async () => {
    const { address, output } = await serve(env, { openFiles: FILES });
    const open = new Set<IncomingMessage>();
    let ended = 0;
    onTestFinished(() => {
      for (const stream of open) stream.destroy();
    });
    for (let i = 0; i < STREAMS; i++) {
      const path = `/data-gateway/v1/in-app/messages/stream?person_id=person-${i}&api_key=${publicKey}`;
      const request = get(address + path, { agent: false }, (stream) => {
        open.add(stream);
        stream
          .on("error", () => {})
          .on("close", () => {
            open.delete(stream);
            ended++;
          });
        stream.resume();
      });
      // A connection beyond the limit is closed without an answer.
      request.on("error", () => ended++);
    }
    await until(() => open.size + ended === STREAMS && open.size <= OF_ONE_KEY, "an answer to each", 60_000);
    expect(open.size).toBe(OF_ONE_KEY);

    const headers = { authorization: `Bearer ${publicKey}`, "content-type": "application/json" };
    for (let i = 0; i < 20; i++) {
      const body = JSON.stringify({ person_id: `person-${i}`, attributes: {} });
      const answers = await Promise.all([
        fetch(`${address}/readyz`),
        fetch(`${address}/data-gateway/v1/identify`, { method: "POST", headers, body }),
        fetch(`${address}/data-gateway/v1/in-app/messages/sync?person_id=person-${i}`, { headers }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    }
    expect(output()).not.toContain("EMFILE");
  },
);
