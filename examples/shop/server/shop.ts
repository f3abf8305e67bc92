import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { defineMessages, type Messages, type Person, seedPeople, sendMessage } from "./messages.ts";
import { personToken, type SigningSecret } from "./person-token.ts";
import { type Keys, type ProductApi, productApi } from "./product-api.ts";
import { answerFile, policy } from "./site.ts";

const LARGEST_BODY = 4_096;
const COOKIE = "shop_session";

export interface ShopOptions {
  /** The address of Tidings. */
  tidings: string;
  keys: Keys;
  signing: SigningSecret;
  /** The folder with the built web pages. */
  site: string;
  port: number;
  /** The people who can log in. */
  people: Person[];
}

export interface Shop {
  address: string;
  messages: Messages;
  stop(): Promise<void>;
}

/** The data of the shop's server. The secret key and the signing secret stay here. */
interface Counter {
  options: ShopOptions;
  api: ProductApi;
  messages: Messages;
  /** The logged-in person of each session. A real shop asks for a password. */
  visits: Map<string, string>;
}

/** Starts the shop's own small server: web pages, login, person tokens. */
export async function startShop(options: ShopOptions): Promise<Shop> {
  const api = productApi(options.tidings, options.keys.secret);
  const server = createServer((request, response) => {
    (counter ? answer(counter, request, response) : Promise.reject(new Error("the shop is not open yet"))).catch(
      (error: Error) => {
        console.error(error.message);
        if (!response.headersSent) response.writeHead(500);
        response.end();
      },
    );
  });
  let counter: Counter | undefined;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, "127.0.0.1", resolve);
  });
  const address = `http://localhost:${(server.address() as AddressInfo).port}`;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  try {
    const messages = await defineMessages(api, address);
    await seedPeople(api, messages, options.people);
    counter = { options, api, messages, visits: new Map() };
    return { address, messages, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function answer(counter: Counter, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { options, visits } = counter;
  const { pathname } = new URL(request.url ?? "/", "http://shop");
  response.setHeader("content-security-policy", policy(options.tidings));
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("cache-control", "no-store");
  const visit = new RegExp(`${COOKIE}=([\\w-]+)`).exec(request.headers.cookie ?? "")?.[1] ?? "";
  const personId = visits.get(visit);
  if (!pathname.startsWith("/shop/")) return answerFile(response, options.site, pathname);
  if (request.method === "GET" && pathname === "/shop/session") return sendSession(counter, response, personId);
  // A form of another site can't send JSON without asking this server first.
  const ours = request.method === "POST" && request.headers["content-type"] === "application/json";
  if (!ours) return void response.writeHead(404).end();
  const body = await bodyOf(request);

  if (pathname === "/shop/login") {
    const person = options.people.find(({ person_id }) => person_id === body.person_id);
    if (!person) return void response.writeHead(422).end();
    const id = randomUUID();
    visits.set(id, person.person_id);
    response.setHeader("set-cookie", `${COOKIE}=${id}; Path=/; HttpOnly; SameSite=Lax`);
    return sendSession(counter, response, person.person_id);
  }
  if (pathname === "/shop/logout") {
    visits.delete(visit);
    return sendSession(counter, response, undefined);
  }
  if (!personId) return void response.writeHead(401).end();
  // The session decides whom the token is for, never the call.
  if (pathname === "/shop/person-token") return void response.end(personToken(options.signing, personId, new Date()));
  if (pathname === "/shop/send") {
    const messageId = Object.entries(counter.messages).find(([name]) => name === body.name)?.[1];
    if (!messageId) return void response.writeHead(422).end();
    await sendMessage(counter.api, messageId, personId);
    return void response.writeHead(202).end();
  }
  response.writeHead(404).end();
}

/** Returns what the web page may know: the public key, and who is logged in. */
function sendSession({ options }: Counter, response: ServerResponse, personId: string | undefined): void {
  response.setHeader("content-type", "application/json");
  const tidings = { baseUrl: options.tidings, publicKey: options.keys.public };
  const person = options.people.find(({ person_id }) => person_id === personId) ?? null;
  response.end(JSON.stringify({ tidings, people: options.people, person }));
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const chunk of request) {
    text += chunk;
    if (text.length > LARGEST_BODY) return {};
  }
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
