import { setTimeout as sleep } from "node:timers/promises";
import type { SmtpSink } from "../sinks/smtp-sink.ts";

/** Returns the body of POST /api/v1/providers for a local sink. */
export const providerOn = (port: number) => ({
  channel: "email",
  kind: "smtp",
  name: "Local sink",
  settings: { host: "127.0.0.1", port },
});

/** Returns a function that triggers one raw email and returns the milliseconds until its 250. */
export function triggerOf(port: number, key: string, sink: SmtpSink): () => Promise<number> {
  return async () => {
    const started = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}/data-gateway/transactionals/email`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({
        identifiers: { email: "ada@example.com" },
        from: "shop@example.com",
        subject: "S",
        body: "<p>Your code is 123456.</p>",
      }),
    });
    if (answer.status !== 202) throw new Error(`not a 202: ${await answer.text()}`);
    await answer.arrayBuffer();
    const taken = await sink.nextMessage();
    await sleep(10);
    return taken - started;
  };
}
