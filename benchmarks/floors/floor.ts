import { randomUUID } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import Fastify, { type FastifyInstance } from "fastify";
import nodemailer from "nodemailer";
import pg from "pg";
import "../processes/memory.ts";

// The floors do the same work without the product: bare Fastify, `pg` with as many connections as the service's own pool,
// one named prepared statement a request.
const CONNECTIONS = 16;
const pool = new pg.Pool({ connectionString: process.env.FLOOR_DATABASE, max: CONNECTIONS });

interface TriggerBody {
  identifiers: { email: string };
  message_data: { order: string; total: string; item: string };
}

const floors: Record<string, () => Promise<number>> = {
  /** Returns the rows that a sync returns, three of ten, as plain JSON: no rules, no key check, no response schema. */
  sync: () =>
    listen((app) => {
      app.get<{ Querystring: { person_key: string } }>("/sync", async (request) => {
        const { rows } = await pool.query({
          name: "sync",
          text: `select id, message_id, priority, queued_at, expires_at, content from deliveries
            where person_key = $1 and live order by priority desc, queued_at, id limit 3`,
          values: [request.query.person_key],
        });
        return rows;
      });
    }),

  /** Inserts and commits one row a request; the row is about as large as a delivery with its rendered email. */
  trigger: () =>
    listen((app) => {
      app.post<{ Body: TriggerBody }>("/trigger", async (request, reply) => {
        const id = await insert(request.body.identifiers.email, emailFor(request.body));
        return reply.code(202).send({ delivery_id: id, status: "queued" });
      });
    }),

  /** Inserts and commits one small row a request, as for an impression. */
  interactions: () =>
    listen((app) => {
      app.post<{ Params: { id: string }; Body: { person_id: string; screen: string; platform: string } }>(
        "/data-gateway/v1/in-app/messages/:id/impression",
        async (request) => {
          const { person_id, ...rest } = request.body;
          await insert(person_id, { delivery_id: request.params.id, type: "impression", ...rest });
          return { delivery_id: request.params.id, status: "shown", recorded: true };
        },
      );
    }),

  /** Inserts a row, answers, and sends the mail at once through nodemailer's pool. */
  latency: () => {
    const transport = nodemailer.createTransport({
      pool: true,
      host: "127.0.0.1",
      port: Number(process.env.FLOOR_SMTP),
      secure: false,
      ignoreTLS: true,
    });
    return listen((app) => {
      app.post<{ Body: TriggerBody }>("/trigger", async (request, reply) => {
        const to = request.body.identifiers.email;
        const { subject, body } = emailFor(request.body);
        const id = await insert(to, { subject, body });
        transport.sendMail({ from: "shop@example.com", to, subject, html: body }).catch((error) => {
          console.error(error);
          process.exit(1);
        });
        return reply.code(202).send({ delivery_id: id, status: "queued" });
      });
    });
  },

  /**
   * Serves event streams on Node's own HTTP server, with the service's headers, first line and heartbeat. A body that is posted
   * to /publish?person_id= is written to the streams of that person.
   */
  stream: async () => {
    const open = new Map<string, Set<ServerResponse>>();
    const server = createServer((request, response) => {
      const [path, personId = ""] = (request.url as string).split("?person_id=");
      const mine = open.get(personId);
      if (path === "/publish") {
        let body = "";
        request.setEncoding("utf8").on("data", (chunk: string) => {
          body += chunk;
        });
        request.on("end", () => {
          for (const one of mine ?? []) one.write(`event: sync\ndata: ${body}\n\n`);
          response.statusCode = 202;
          response.end("{}");
        });
        return;
      }
      response.writeHead(200, {
        "content-type": "text/event-stream",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
      });
      response.write(": connected\n\n");
      if (mine) mine.add(response);
      else open.set(personId, new Set([response]));
      request.on("close", () => {
        open.get(personId)?.delete(response);
        if (open.get(personId)?.size === 0) open.delete(personId);
      });
    });
    setInterval(() => {
      for (const mine of open.values()) for (const response of mine) response.write(": hb\n\n");
    }, 20_000);
    return new Promise<number>((resolve) => {
      server.listen(0, "127.0.0.1", 4096, () => resolve((server.address() as { port: number }).port));
    });
  },
};

async function insert(recipient: string, content: object): Promise<string> {
  const id = randomUUID();
  await pool.query({
    name: "insert",
    text: "insert into bare_rows (id, recipient, content, at) values ($1, $2, $3, $4)",
    values: [id, recipient, JSON.stringify(content), new Date()],
  });
  return id;
}

function emailFor({ message_data: { order, total, item } }: TriggerBody): { subject: string; body: string } {
  return {
    subject: `Order ${order} confirmed`,
    body: `<h1>Thank you</h1><p>Your order <b>${order}</b> of ${item} over ${total} EUR is on its way.</p>${"<p>Delivery takes two to three days. You can answer this mail.</p>".repeat(4)}`,
  };
}

async function listen(routes: (app: FastifyInstance) => void): Promise<number> {
  const app = Fastify();
  routes(app);
  return Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port);
}

const start = floors[process.env.FLOOR ?? ""];
if (!start) throw new Error(`there is no floor named ${process.env.FLOOR}`);
process.once("SIGTERM", () => process.exit(0));
process.send?.({ port: await start() });
