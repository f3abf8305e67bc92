import { expect } from "vitest";
import { inAppService } from "../services/in-app.ts";

export interface Entry {
  [name: string]: unknown;
  kind: string;
  step_id: string | null;
}

export const told = ({ timeline }: { timeline: Entry[] }) =>
  timeline.map(({ at, kind, step_id, way, reason }) =>
    [String(at).slice(5, 16), kind, step_id, way, reason].filter((one) => one !== null).join(" "),
  );

/** A service with drafts to simulate, with common steps of its tests. */
export async function simulatingService() {
  const { it, identify, define, clock } = await inAppService();
  const { db } = it.service.ground;

  async function draft(own: object): Promise<string> {
    const answer = await it.call("POST", "/api/v1/campaigns", { body: { name: "Test", ...own } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.id;
  }
  const simulate = (id: string, body: object) => it.call("POST", `/api/v1/campaigns/${id}/simulate`, { body });
  return { it, identify, define, clock, db, draft, simulate };
}
