import type { FastifyReply, FastifyRequest } from "fastify";
import { ownerOf } from "../../activity/index.ts";
import { type Choice, findPersonByKey, mergedInto, type Person } from "../../people/index.ts";
import { announced, type Queries } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { type App, Problem } from "../../platform/http/index.ts";
import { encodeId } from "../../platform/ids.ts";
import { windows } from "../../platform/limits/windows.ts";
import { workspaceById } from "../../workspaces/index.ts";
import { takeChoice } from "../preferences/states.ts";
import { topicsOf } from "../preferences/store.ts";
import { type Subject, subjectOf } from "./links.ts";
import { HEADERS, notice } from "./page.ts";
import {
  type PageSubject,
  preferencePage,
  resubscribedPage,
  unsubscribedPage,
  unsubscribePage,
} from "./preference-page.ts";

/** A message whose link led to an unsubscribe. */
export interface Unsubscribed {
  workspaceId: string;
  deliveryId: string;
  at: Date;
}

/** Announced in the transaction that writes what the person wants from now on. */
export const UNSUBSCRIBED = announced<Unsubscribed>("subscriptions.unsubscribed");

const NAMES: Record<string, string> = { email: "emails", sms: "text messages", push: "push notifications" };
const PAGE = { description: "A page.", content: { "text/html": { schema: { type: "string" } } } };
const SMALL_FORM = 16 * 1024;
/** The most requests of a link in a minute and process. They are counted by link, because behind a load balancer all come from one address. */
const PER_LINK = 60;
const MINUTE_MS = 60_000;
const MOST_LINKS = 5_000;

/** An opened link: its subject, the person, and the data of the page. */
interface OpenedLink {
  subject: Subject;
  person: Person;
  page: PageSubject & { what: string; preferences: string };
}

/** The schema of a route that answers with a page: 404 for a link that is not ours, 410 where the person was erased. */
const described = (summary: string, statuses: number[]) => ({
  bodyLimit: SMALL_FORM,
  schema: {
    summary,
    tags: ["pages"],
    security: [],
    response: Object.fromEntries([...statuses, 404, 410, 429, "default"].map((status) => [status, PAGE])),
  },
});

/**
 * Adds the public pages: GET shows a page and changes nothing, whoever opens it; POST writes. The link itself is the key. POST /unsubscribe is also what RFC 8058 describes: one click in the mail program, answered without a redirect.
 */
export function pages(app: App, ground: Ground): void {
  readForms(app);
  const requests = windows(MINUTE_MS, MOST_LINKS);
  app.addHook("onRequest", async (_request, reply) => void reply.headers(HEADERS));
  app.addHook("onRequest", async ({ params }) => {
    const { taken } = requests.take((params as { token: string }).token, 1, PER_LINK);
    if (!taken) throw new Problem("rate_limited", "This link was opened too often. Wait a minute.");
  });
  app.setErrorHandler((error, request, reply) => answerError(ground, error, request, reply));

  app.get("/preferences/:token", described("The preference page", [200]), (request, reply) =>
    withSubject(ground, request, reply, async ({ page }) => preferencePage(page)),
  );

  app.post("/preferences/:token", described("Save the choices of the preference page", [200, 413]), (request, reply) =>
    withSubject(ground, request, reply, async (found) => {
      const { choice, done } = readChoice(found, request.body);
      if (!choice) return preferencePage(found.page);
      const person = await writeChoice(ground, found, { choice, source: "preference_page" });
      return preferencePage({ ...found.page, person, done });
    }),
  );

  app.get("/unsubscribe/:token", described("A page with a button to unsubscribe", [200]), (request, reply) =>
    withSubject(ground, request, reply, async ({ page }) => unsubscribePage(page)),
  );

  app.post(
    "/unsubscribe/:token",
    described("Unsubscribe: the page's button, or one click in a mail program (RFC 8058)", [200, 400, 413]),
    (request, reply) =>
      withSubject(ground, request, reply, async (found) => {
        const form = formOf(request.body);
        const state = form.get("action") === "resubscribe";
        if (!state && form.get("List-Unsubscribe") !== "One-Click") {
          reply.code(400);
          return unsubscribePage({ ...found.page, done: "Nothing has changed yet. Press the button to unsubscribe." });
        }
        const choice = { ...(state && { subscribed: true }), preferences: { [keyOf(found)]: state } };
        const person = await writeChoice(ground, found, { choice, source: "one_click" });
        return (state ? resubscribedPage : unsubscribedPage)({ ...found.page, person });
      }),
  );
}

/** The state that one click turns off: the message's topic, or its channel where it has no topic (any more). */
function keyOf({ subject, page }: Pick<OpenedLink, "subject" | "page">): string {
  const topic = page.topics.find(({ id }) => id === subject.topicId);
  return topic ? encodeId("top", topic.id) : subject.channel;
}

/** Reads the form of the preference page. Only states that the page showed are written: a newer topic stays as it is. */
function readChoice({ page }: OpenedLink, body: unknown): { choice?: Choice; done?: string } {
  const form = formOf(body);
  const action = form.get("action");
  if (action === "unsubscribe_all") {
    return { choice: { subscribed: false }, done: "Saved. You are unsubscribed from everything." };
  }
  if (action === "resubscribe") return { choice: { subscribed: true }, done: "Saved. You are subscribed again." };
  if (action !== "save") return {};
  const known = new Set(["email", "sms", "push", ...page.topics.map(({ id }) => encodeId("top", id))]);
  const on = new Set(form.getAll("on"));
  const preferences: Record<string, boolean> = {};
  for (const key of form.getAll("shown")) if (known.has(key)) preferences[key] = on.has(key);
  return { choice: { preferences }, done: "Saved." };
}

async function writeChoice(
  ground: Ground,
  { subject }: OpenedLink,
  { choice, source }: { choice: Choice; source: string },
): Promise<Person> {
  const now = ground.clock.now();
  const { workspaceId, deliveryId } = subject;
  const off = choice.subscribed === false || Object.values(choice.preferences ?? {}).includes(false);
  return ground.db.transaction(async (tx) => {
    const taken = await takeChoice(tx, subject, { choice, source, now });
    if (!taken) throw new Gone();
    if (off && taken.changed && deliveryId !== undefined)
      await tx.announce(UNSUBSCRIBED, [workspaceId], () => [{ workspaceId, deliveryId, at: now }]);
    return taken.person;
  });
}

/** The link is one of ours, but its person was erased. */
class Gone extends Error {}

/**
 * Returns the person who has the message of a link now: people are merged, and somebody else may have come under the old id since. Without a
 * message it is the person whom the link names, or the one into whom that person was merged.
 */
async function readerOf(q: Queries, { workspaceId, personKey, deliveryId }: Subject): Promise<Person | undefined> {
  const owner = deliveryId === undefined ? undefined : await ownerOf(q, workspaceId, deliveryId);
  const person = await findPersonByKey(q, workspaceId, owner ?? personKey);
  if (person || owner !== undefined) return person;
  const key = await mergedInto(q, workspaceId, personKey);
  return key === undefined ? undefined : findPersonByKey(q, workspaceId, key);
}

async function withSubject(
  ground: Ground,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (found: OpenedLink) => Promise<string>,
): Promise<FastifyReply> {
  const { token } = request.params as { token: string };
  const subject = subjectOf(ground, token);
  if (!subject) {
    const sentence = "Open the link again from the newest message that you received, or answer that message.";
    return send(reply.code(404), notice("This link does not work", sentence));
  }
  const [workspace, person, topics] = await Promise.all([
    workspaceById(ground.db, subject.workspaceId),
    readerOf(ground.db, subject),
    topicsOf(ground.db, subject.workspaceId),
  ]);
  if (!workspace || !person) throw new Gone();
  const topic = topics.find(({ id }) => id === subject.topicId);
  const name = NAMES[subject.channel] ?? "messages";
  const page = {
    action: (request.url.split("?", 1)[0] as string).slice(0, 400),
    sender: workspace.name,
    person,
    topics,
    what: topic ? `${name} about “${topic.name}” from ${workspace.name}` : `${name} from ${workspace.name}`,
    preferences: `/preferences/${token}`,
  };
  return send(reply, await work({ subject: { ...subject, personKey: person.person_key }, person, page }));
}

const send = (reply: FastifyReply, page: string): FastifyReply => reply.type("text/html; charset=utf-8").send(page);

/** Forms as browsers and mail programs send them: RFC 8058 has both encodings. Anything else is a form without fields. */
function readForms(app: App): void {
  app.addContentTypeParser("*", { parseAs: "buffer" }, (request, body, done) => {
    const type = request.headers["content-type"] ?? "";
    if (!/^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type)) done(null, undefined);
    else
      new Response(body as Uint8Array<ArrayBuffer>, { headers: { "content-type": type } }).formData().then(
        (form) => done(null, form),
        () => done(null, undefined),
      );
  });
}

interface Form {
  get(name: string): string | null;
  getAll(name: string): string[];
}

/** Files in a form are no words of ours. */
function formOf(body: unknown): Form {
  const form = body instanceof FormData ? body : new FormData();
  const getAll = (name: string) => form.getAll(name).filter((value) => typeof value === "string");
  return { getAll, get: (name) => getAll(name)[0] ?? null };
}

function answerError(ground: Ground, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof Gone) {
    return send(
      reply.code(410),
      notice("Nothing to change", "We no longer have any data about you, and send you nothing."),
    );
  }
  const status = error instanceof Problem ? error.status : ((error as { statusCode?: number }).statusCode ?? 500);
  if (status >= 500) ground.log.warn({ request_id: request.id, err: String(error) }, "a public page failed");
  const [title, sentence] =
    status >= 500
      ? ["Please try again", "This does not work just now. Nothing has changed. Try again in a minute."]
      : ["This does not work", "Open the link again from the message that you received."];
  return send(reply.code(status), notice(title, sentence));
}
