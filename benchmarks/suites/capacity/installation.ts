import { providerOn } from "../../load/emails.ts";
import { startLoad } from "../../load/load.ts";
import { startChild } from "../../processes/children.ts";
import { startSmsGateway } from "../../sinks/sms-gateway.ts";
import { callApi } from "../../stage/api.ts";
import { onStage, type Stage, type StageOptions } from "../../stage/stage.ts";
import { ORDER_CONFIRMATION } from "../trigger.ts";
import { type On, SMS } from "./paths.ts";

/** No checkpoint begins by itself while something is measured. */
const RARE_CHECKPOINTS = { max_wal_size: "16GB", checkpoint_timeout: "1h" };

/** Starts a service with so many people to come, a mail server and a gateway for text messages, calls `play` and ends everything. */
export async function onInstallation<T>(
  options: StageOptions,
  people: number,
  play: (on: On) => Promise<T>,
): Promise<T> {
  return onStage({ ...options, roles: "api,worker", settings: RARE_CHECKPOINTS }, async (stage) => {
    const load = await startLoad();
    const sink = await startChild<{ port: number }>({ file: new URL("../../sinks/sink-child.ts", import.meta.url) });
    const gateway = await startSmsGateway();
    try {
      await prepare(stage, sink.hello.port, gateway.url);
      return await play({ stage, load, people });
    } finally {
      gateway.close();
      await sink.stop();
      await load.stop();
    }
  });
}

/** Creates the providers and messages of the paths. */
async function prepare(stage: Stage, mail: number, gateway: string): Promise<void> {
  await callApi(stage, "/api/v1/providers", providerOn(mail));
  await callApi(stage, "/api/v1/providers", {
    channel: "sms",
    kind: "http",
    name: "Gateway",
    settings: { url: gateway, from: "Acme" },
  });
  for (const one of [ORDER_CONFIRMATION, SMS]) await callApi(stage, "/api/v1/transactionals", one);
}
