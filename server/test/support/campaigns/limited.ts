import { engineService } from "../services/engine.ts";
import { limitedService } from "../services/limits.ts";

export const HOUR = 3_600_000;

export const sms = (id: string, own: object = {}) => ({
  id,
  type: "message",
  channel: "sms",
  content: { body: id },
  ...own,
});

/** An engine in a workspace whose limits hold messages back, with common steps of its tests. */
export async function limitedEngine() {
  const engine = await engineService();
  const { it, clock, identify, settle } = engine;
  const { call, limit } = limitedService(it);
  let people = 0;

  /** Returns a new person with a phone number. */
  async function person(attributes: object = {}): Promise<string> {
    const id = `held-${++people}`;
    await identify(id, { phone: `+4179222${String(people).padStart(4, "0")}`, ...attributes });
    return id;
  }

  /** Activates a campaign of these steps. */
  async function campaign(steps: object[]): Promise<string> {
    const { id } = await call("POST", "/campaigns", {
      name: "Held",
      trigger: { type: "api" },
      reentry: "always",
      steps,
    });
    await call("POST", `/campaigns/${id}/activate`);
    return id;
  }

  async function begin(id: string, person_id: string): Promise<string> {
    const { run_id } = await call("POST", `/campaigns/${id}/runs`, { person_id });
    await settle();
    return run_id;
  }

  const runOf = (id: string, run: string) => call("GET", `/campaigns/${id}/runs/${run}`);
  const after = (ms: number) => new Date(clock.now().getTime() + ms).toISOString();
  return { ...engine, call, limit, person, campaign, begin, runOf, after };
}
