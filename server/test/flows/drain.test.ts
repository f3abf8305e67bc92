import { Agent, request } from "node:http";
import { expect, test } from "vitest";
import { testDatabase } from "../support/database.ts";
import { testService } from "../support/service.ts";
import { until } from "../support/wait.ts";

const databaseUrl = await testDatabase();

interface Ended {
  status?: number | undefined;
  connection?: string | undefined;
  failed?: string | undefined;
}

/** Sends a request over a kept connection; returns the error if it fails. */
function ask(agent: Agent, address: string, key: string): Promise<Ended> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${key}` };
    const asked = request(
      `${address}/data-gateway/v1/in-app/messages/sync?person_id=ada`,
      { agent, headers },
      (answer) => {
        answer.resume();
        answer.on("end", () => resolve({ status: answer.statusCode, connection: answer.headers.connection }));
        answer.on("error", (error) => resolve({ failed: error.message }));
      },
    );
    asked.on("error", (error: NodeJS.ErrnoException) => resolve({ failed: error.code ?? error.message }));
    asked.end();
  });
}

test("a stop under load resets no request on a kept connection", async () => {
  for (let round = 0; round < 4; round++) {
    const it = await testService({ databaseUrl });
    const address = await it.service.listen();
    const agent = new Agent({ keepAlive: true, maxSockets: 24 });
    const ends: Ended[] = [];
    let closed = false;
    const clients = Array.from({ length: 24 }, async () => {
      while (!closed) {
        const end = await ask(agent, address, it.publicKey);
        ends.push(end);
        // The process no longer listens: the request is for another process.
        if (end.failed === "ECONNREFUSED") return;
      }
    });
    await until(() => ends.length > 500, "load");
    await it.service.stop();
    closed = true;
    await Promise.all(clients);
    agent.destroy();
    expect([...new Set(ends.flatMap(({ failed }) => failed ?? []))]).toEqual(["ECONNREFUSED"]);
    expect(new Set(ends.flatMap(({ status }) => status ?? []))).toEqual(new Set([200]));
    // Each kept connection was told that this was its last answer.
    expect(ends.filter(({ connection }) => connection === "close")).toHaveLength(24);
  }
});
