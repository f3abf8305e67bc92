import type { ServerResponse } from "node:http";
import { afterAll } from "vitest";
import { startCalls } from "../../../src/campaigns/calls/work.ts";
import type { Published } from "../../../src/campaigns/definition/published.ts";
import { sql } from "../../../src/platform/db/index.ts";
import { encodeId } from "../../../src/platform/ids.ts";
import { signatureOf } from "../../../src/platform/standard-webhooks.ts";
import type { Call, Receiver } from "../network/receiver.ts";
import { engineService } from "../services/engine.ts";
import { until } from "../wait.ts";

export const SECRET = "/api/v1/campaigns/webhook-secret";

export const json = (status: number, body: unknown) => (response: ServerResponse) =>
  void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

/** Whether a call has the signature of a secret. The receivers' library would compare the test's clock with the real one. */
export const verifies = (key: string, { headers, body }: Call): boolean => {
  const [id, timestamp] = [String(headers["webhook-id"]), String(headers["webhook-timestamp"])];
  return String(headers["webhook-signature"])
    .split(" ")
    .includes(signatureOf(key, id, timestamp, body));
};

export const hook = (far: Receiver, own: object = {}) => ({ id: "hook", type: "webhook", url: far.url, ...own });

export const end = { id: "end", type: "exit" };

export const uuid = (of: Published) => encodeId("cmp", of.campaignId);

/** An engine whose campaigns call webhooks of this machine, with common steps of its tests. */
export async function callingEngine() {
  const engine = await engineService({ ALLOW_PRIVATE_NETWORK: "true" });
  const { it, settle, runOf } = engine;
  const { db } = it.service.ground;
  const calls = startCalls(it.service.ground);
  afterAll(() => calls.stop());
  const secret = async () => (await it.call("GET", SECRET)).body.secret;
  const act = (of: Published, what: string, body?: object) =>
    it.call("POST", `/api/v1/campaigns/${uuid(of)}/${what}`, body ? { body } : {});
  const callOf = async (run: string) =>
    (
      await db.query<{ state: string; attempts: number; lease_id: string | null; waits: boolean }>(
        sql`select state, attempts, lease_id, due_at > now() as waits from campaign_calls where run_id = ${run}`,
      )
    )[0];
  /** Ends the waits between attempts, and the leases of processes that died. */
  const hurry = (run: string) => db.execute(sql`update campaign_calls set due_at = now() where run_id = ${run}`);
  const wake = () => it.service.ground.signals.publish("campaigns.calls_due", []);
  /** Waits until the run is at no step, while the engine advances it. */
  async function over(run: string) {
    await until(async () => {
      await settle();
      return (await runOf(run)).ended_at !== null;
    }, "the run is over");
    const { status, reason } = await runOf(run);
    return reason === null ? status : `${status} ${reason}`;
  }
  return { ...engine, db, secret, act, callOf, hurry, wake, over };
}
