import { expect } from "vitest";
import { engineService } from "../services/engine.ts";

export const HOUR = 3_600_000;

export const end = { id: "end", type: "exit" };

export const email = (body: string) => ({ subject: "Hi", body, from: "shop@acme.test" });

/** An engine for campaigns of any steps, with common steps of its tests. */
export async function steppingEngine() {
  const engine = await engineService();
  const { it, runOf } = engine;
  const { db } = it.service.ground;

  await it.call("PATCH", "/api/v1/workspace", { body: { sender_defaults: { email_from: "shop@acme.test" } } });
  const event = async (personId: string, eventName: string, properties: object = {}) => {
    const answer = await it.call("POST", "/data-gateway/v1/track", {
      body: { person_id: personId, eventName, properties },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  };

  async function ended(id: string) {
    const { status, reason, step_id, due_at } = await runOf(id);
    expect({ step_id, due_at }).toEqual({ step_id: null, due_at: null });
    return reason === null ? status : `${status} ${reason}`;
  }
  return { ...engine, engine, db, event, ended };
}
