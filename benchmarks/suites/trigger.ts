import { callApi } from "../stage/api.ts";
import { compare, rateResult } from "../report/compare.ts";
import { startLoad } from "../load/load.ts";
import type { TargetResult } from "../report/report.ts";
import { seedPeople } from "../stage/seed.ts";
import { onStage, type Stage, type StageOptions } from "../stage/stage.ts";

/** Measures durable 202s of an email, a push and a text message by template, each against one single-row insert and commit a request. */
export async function trigger(smoke: boolean, options: StageOptions): Promise<TargetResult[]> {
  const people = smoke ? 1_000 : 50_000;
  return onStage({ ...options, roles: "api" }, async (stage) => {
    await seedPeople(stage, people);
    await seedDevices(stage);
    const load = await startLoad();
    try {
      const { service } = stage;
      const floor = await stage.floor("trigger");
      for (const one of [ORDER_CONFIRMATION, PUSH, SMS]) await callApi(stage, "/api/v1/transactionals", one);
      const connections = 64;
      const plan = (port: number, path: string, extra: { name?: string; to?: string } = {}) => ({
        port,
        expect: 202,
        requests: { kind: "trigger" as const, path, key: stage.secretKey, people, ...extra },
      });
      console.log(`${people} known people, ${connections} connections; ROLES=api: nothing is sent meanwhile`);
      const found: TargetResult[] = [];
      for (const [channel, extra] of [
        ["email", {}],
        ["push", { name: PUSH.trigger_name }],
        ["sms", { name: SMS.trigger_name, to: "+4915112345678" }],
      ] as const) {
        console.log("");
        const compared = await compare(load, stage.databaseCpu, {
          floor: { name: "bare Fastify, one insert", server: floor, plan: plan(floor.port, "/trigger") },
          ours: {
            name: `Tidings, POST .../${channel}`,
            server: service,
            plan: plan(service.port, `/data-gateway/transactionals/${channel}`, extra),
          },
          rounds: smoke
            ? { connections, rounds: 1, seconds: 0.5, warmUpSeconds: 0.3 }
            : { connections, rounds: channel === "email" ? 6 : 4, seconds: 5, warmUpSeconds: 3 },
        });
        const result = rateResult(compared, 0.7);
        found.push({ ...result, what: `${channel}: ${result.what}` });
      }
      return found;
    } finally {
      await load.stop();
    }
  });
}

/** Creates a device for each seeded person. */
async function seedDevices({ db, workspaceId }: Stage): Promise<void> {
  await db.query(
    `insert into devices (person_key, id, workspace_id, platform, token, created_at, last_used_at)
     select person_key, gen_random_uuid(), $1, 'android', 'token-' || n, now(), now() from seeded_people`,
    [workspaceId],
  );
  await db.query("vacuum analyze devices");
}

/** Creates the transactional that the generator's requests name. */
export const ORDER_CONFIRMATION = {
  name: "Order confirmation",
  trigger_name: "order_confirmation",
  subscription_preference: "all",
  channel: "email",
  content: {
    from: "shop@example.com",
    subject: "Order {{trigger.order}} confirmed",
    body: `<h1>Thank you, {{person.first_name}}</h1><p>Your order <b>{{trigger.order}}</b> of {{trigger.item}} over {{trigger.total}} EUR is on its way.</p>${"<p>Delivery takes two to three days. You can answer this mail.</p>".repeat(4)}`,
  },
};

const PUSH = {
  name: "Order push",
  trigger_name: "order_push",
  subscription_preference: "all",
  channel: "push",
  content: {
    title: "Order {{trigger.order}}",
    message: "{{person.first_name}}, your {{trigger.item}} over {{trigger.total}} EUR is on its way.",
    link: "https://shop.example.com/orders/{{trigger.order}}",
  },
};

const SMS = {
  name: "Order text",
  trigger_name: "order_text",
  subscription_preference: "all",
  channel: "sms",
  content: {
    body: "{{person.first_name}}, order {{trigger.order}} ({{trigger.item}}, {{trigger.total}} EUR) is on its way.",
  },
};
