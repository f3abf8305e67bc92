import { CampaignPreflight } from "@tidings/contract/campaigns/preflight";
import { Replay, ReplayInput, SimulateInput, Simulation } from "@tidings/contract/campaigns/simulate";
import { Type } from "typebox";
import type { OutboundGround } from "../outbound/index.ts";
import type { App } from "../platform/http/index.ts";
import { preflight } from "./simulate/preflight.ts";
import { replay } from "./simulate/replay.ts";
import { simulate } from "./simulate/simulate.ts";

const params = Type.Object({ id: Type.String() });
const tags = ["campaigns"];

/** Routes that answer what a campaign would do. They write nothing. */
export function simulateRoutes(app: App, ground: OutboundGround, path: string, idOf: (text: string) => string): void {
  app.post(
    `${path}/simulate`,
    {
      config: { needs: "read" },
      schema: {
        summary: "Simulate it for a person with made-up events on a virtual clock; nothing is written",
        tags,
        params,
        body: SimulateInput,
        response: { 200: Simulation },
      },
    },
    (request) => simulate(ground, request.caller.workspace, idOf(request.params.id), request.body),
  );

  app.post(
    `${path}/preflight`,
    {
      config: { needs: "read" },
      schema: {
        summary: "Count who would get each of its messages now, and who would not and why",
        tags,
        params,
        response: { 200: CampaignPreflight },
      },
    },
    (request) => preflight(ground, request.caller.workspace, idOf(request.params.id)),
  );

  app.post(
    `${path}/replay`,
    {
      config: { needs: "read" },
      schema: {
        summary: "Count what it would have done with the real events of the last days; nothing is written",
        tags,
        params,
        body: ReplayInput,
        response: { 200: Replay },
      },
    },
    (request) => replay(ground, request.caller.workspace, idOf(request.params.id), request.body),
  );
}
