import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { transactionalsService } from "../../../test/support/services/transactionals.ts";
import { until } from "../../../test/support/wait.ts";
import { erasePerson } from "../../people/index.ts";
import { linkKeyFrom, sealLink } from "../../platform/links.ts";

const { it, make, send, identify, captured } = await transactionalsService();
const { ground } = it.service;
const { db } = ground;

const PERSON = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15";
const BODY = `<body><a href="https://shop.test/a?x=1&amp;y=2">A</a> <a href='https://shop.test/b'>B</a>
<a href="https://shop.test/c">C</a> <a href="mailto:a@shop.test">M</a> <a href="{{unsubscribe_url}}">out</a></body>`;

let people = 0;
/** Sends a tracked email, as if it was handed over a minute ago. Returns it with the addresses in it. */
async function tracked(tracking = { opens: true, clicks: true }, body = BODY) {
  const person_id = `t${++people}`;
  await identify(person_id, { email: `${person_id}@example.test` });
  const { id } = await make({ tracking, content: { subject: "S", body } });
  const answer = await send({ transactional_message_id: id, identifiers: { id: person_id } });
  const delivery_id = answer.body.delivery_id as string;
  const { message } = await captured(delivery_id);
  await until(async () => (await row(delivery_id)).status === "sent", "the sending");
  await db.execute({
    text: "update deliveries d set sent_at = now() - interval '1 minute' from people p where p.person_key = d.person_key and p.person_id = $1",
    values: [person_id],
  });
  const html = message.html as string;
  const path = (url: string) => url.slice(ground.config.publicUrl.length);
  return {
    person_id,
    delivery_id,
    html,
    text: message.text as string,
    pixel: path(/src="([^"]+\.gif)"/.exec(html)?.[1] ?? ""),
    links: [...html.matchAll(/href=["']([^"']+\/t\/c\/[^"']+)["']/g)].map(([, url = ""]) => path(url)),
  };
}
const row = async (id: string) => (await it.call("GET", `/api/v1/deliveries/${id}`)).body;
const visit = (url: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") =>
  it.service.app.inject({ method, url, headers: { "user-agent": PERSON, ...headers } });
const told = (id: string, type: string, count = 1) =>
  until(async () => {
    const events = (await row(id)).events.filter((event: { type: string }) => event.type === type);
    return events.length >= count ? events : undefined;
  }, `${count} of ${type}`);

describe("tracking", () => {
  test("is off unless it is switched on", async () => {
    const { html } = await tracked({ opens: false, clicks: false });
    expect(html).not.toContain("/t/");
  });

  test("may be for links only, or for opens only", async () => {
    const clicks = await tracked({ opens: false, clicks: true });
    expect([clicks.links.length, clicks.html.includes(".gif")]).toEqual([3, false]);
    const opens = await tracked({ opens: true, clicks: false });
    expect([opens.links.length, opens.html.includes(".gif")]).toEqual([0, true]);
  });

  test("does not change mailto links, unsubscribe links, the text part and the stored content", async () => {
    const { html, text, delivery_id } = await tracked();
    expect(html).toContain('<a href="mailto:a@shop.test">M</a>');
    expect(html).toMatch(
      /<a href="http[^"]+\/unsubscribe\/[\w-]+">out<\/a><img src="[^"]+\.gif" width="1" height="1" alt=""><\/body>/,
    );
    expect(text).toContain("https://shop.test/a?x=1&y=2");
    expect(text).not.toContain("/t/c/");
    expect(JSON.stringify((await row(delivery_id)).content)).not.toContain("/t/");
  });
});

// Concurrent, because each of these waits 2 s for the visits of its email to be recorded.
describe.concurrent("a person", () => {
  test("who opens is counted once, with the first time", async () => {
    const mail = await tracked();
    const picture = await visit(mail.pixel);
    expect(picture.statusCode).toBe(200);
    expect(picture.headers).toMatchObject({ "content-type": "image/gif", "cache-control": "no-store" });
    await visit(mail.pixel);
    const [event] = await told(mail.delivery_id, "email.opened");
    expect(event.data).toMatchObject({ machine: false, user_agent: PERSON });
    const { opened_at, clicked_at, status } = await row(mail.delivery_id);
    expect([opened_at, clicked_at, status]).toEqual([event.at, null, "sent"]);
  });

  test("who clicks is redirected at once to the link's target", async () => {
    const mail = await tracked();
    const answer = await visit(mail.links[0] as string);
    expect([answer.statusCode, answer.headers.location]).toEqual([302, "https://shop.test/a?x=1&y=2"]);
    expect(answer.headers).toMatchObject({ "referrer-policy": "no-referrer", "x-robots-tag": "noindex, nofollow" });
    const [event] = await told(mail.delivery_id, "email.clicked");
    expect(event.data).toMatchObject({ machine: false, url: "https://shop.test/a?x=1&y=2" });
    expect((await row(mail.delivery_id)).clicked_at).toBe(event.at);
  });
});

describe.concurrent("a machine", () => {
  const open = async (headers: Record<string, string>, method: "GET" | "HEAD" = "GET") => {
    const mail = await tracked();
    expect((await visit(mail.pixel, headers, method)).statusCode).toBe(200);
    const [event] = await told(mail.delivery_id, "email.opened");
    return { event, row: await row(mail.delivery_id) };
  };

  test.each<[string, Record<string, string>, "GET" | "HEAD", string]>([
    ["that asks by HEAD", {}, "HEAD", "head"],
    ["of Apple's mail privacy", { "user-agent": "Mozilla/5.0" }, "GET", "privacy_proxy"],
    ["that scans", { "user-agent": "Barracuda Sentinel (EE)" }, "GET", "agent"],
    ["that fetches ahead", { "sec-purpose": "prefetch" }, "GET", "prefetch"],
  ])("%s is recorded with its reason and does not count as opened", async (_who, headers, method, why) => {
    const found = await open(headers, method);
    expect(found.event.data).toMatchObject({ machine: true, why });
    expect(found.row.opened_at).toBeNull();
  });

  test("that visits right after the hand-off, or visits all links at once, did not click", async () => {
    const early = await tracked();
    await db.execute({
      text: "update deliveries d set sent_at = now() + interval '1 minute' from people p where p.person_key = d.person_key and p.person_id = $1",
      values: [early.person_id],
    });
    await visit(early.links[0] as string);
    expect((await told(early.delivery_id, "email.clicked"))[0].data).toMatchObject({ machine: true, why: "too_soon" });

    // On a machine that stands still for a whole window the visits fall into two windows: then the test tries again.
    await until(
      async () => {
        const all = await tracked();
        await Promise.all(all.links.map((link) => visit(link)));
        const events = await told(all.delivery_id, "email.clicked", 3);
        if (events.some(({ data }: { data: { why?: string } }) => data.why !== "all_at_once")) return false;
        expect((await row(all.delivery_id)).clicked_at).toBeNull();
        return true;
      },
      "three clicks in one window",
      60_000,
    );
  }, 90_000);

  test("does not keep a person who opens afterwards from being counted", async () => {
    const mail = await tracked();
    await visit(mail.pixel, { "user-agent": "Mozilla/5.0" });
    await visit(mail.pixel);
    await told(mail.delivery_id, "email.opened", 2);
    expect((await row(mail.delivery_id)).opened_at).not.toBeNull();
  });
});

describe("a link", () => {
  test("that this service did not make leads nowhere, and such a pixel still returns the picture", async () => {
    const place = { w: "A".repeat(22), p: "A".repeat(22), d: "A".repeat(22), u: "https://evil.test/" };
    const foreign = sealLink(linkKeyFrom(randomBytes(32)), "click", place);
    const mail = await tracked();
    const asOpen = mail.pixel.slice("/t/o/".length, -4);
    for (const token of [
      foreign,
      "https://evil.test/",
      "//evil.test",
      asOpen,
      "x",
      "%00",
      mail.links[0]?.slice(5).replace(/.$/, (last) => (last === "_" ? "-" : "_")),
    ]) {
      const answer = await visit(`/t/c/${token}`);
      expect([answer.statusCode, answer.headers.location], token).toEqual([404, undefined]);
      expect(answer.headers["content-type"]).toContain("text/html");
    }
    for (const file of ["x", "x.gif", ".gif", foreign, `${foreign}.gif`, mail.links[0]?.slice(5, 60)]) {
      const answer = await visit(`/t/o/${file}`);
      expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "image/gif"]);
    }
  });

  test("of a person who was merged since count for the delivery, which is the other person's now", async () => {
    const mail = await tracked();
    await identify("the-same", { email: "the-same@example.test" });
    const merged = await it.call("POST", `/api/v1/people/${mail.person_id}/merge`, { body: { into: "the-same" } });
    expect(merged.status).toBe(200);
    await visit(mail.pixel);
    await visit(mail.links[0] as string);
    await told(mail.delivery_id, "email.opened");
    await told(mail.delivery_id, "email.clicked");
    expect((await row(mail.delivery_id)).person_id).toBe("the-same");
  });

  test("of a person who was erased still redirects, and nothing is written", async () => {
    const mail = await tracked();
    await erasePerson(it.service.ground, { workspaceId: it.workspaceId, personId: mail.person_id, now: new Date() });
    const other = await tracked();
    expect((await visit(mail.links[1] as string)).headers.location).toBe("https://shop.test/b");
    await visit(other.links[1] as string);
    await told(other.delivery_id, "email.clicked");
    const { events, clicked_at } = await row(mail.delivery_id);
    expect(clicked_at).toBeNull();
    expect(events.map(({ type }: { type: string }) => type)).not.toContain("email.clicked");
  });
});

async function unsubscribe({ html }: { html: string }): Promise<void> {
  const url = /href="([^"]+\/unsubscribe\/[^"]+)"/.exec(html)?.[1] ?? "";
  const answer = await it.call("POST", url.slice(ground.config.publicUrl.length), {
    key: null,
    raw: "List-Unsubscribe=One-Click",
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  expect(answer.status).toBe(200);
}

test("an unsubscribe from a message is recorded with its delivery", async () => {
  const mail = await tracked();
  await unsubscribe(mail);
  await told(mail.delivery_id, "email.unsubscribed");
});

test("an unsubscribe is that of who has the message now, also if somebody else came under the old id", async () => {
  const mail = await tracked();
  await identify("whole", { email: "whole@example.test" });
  await it.call("POST", `/api/v1/people/${mail.person_id}/merge`, { body: { into: "whole" } });
  await identify(mail.person_id, { email: "new@example.test" });
  await unsubscribe(mail);
  const wants = async (id: string) =>
    (await it.call("GET", `/api/v1/people/${id}/subscriptions`)).body.channels.email as boolean;
  expect([await wants("whole"), await wants(mail.person_id)]).toEqual([false, true]);
});
