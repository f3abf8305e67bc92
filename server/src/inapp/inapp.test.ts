import { describe, expect, test } from "vitest";
import { inAppService, MESSAGES } from "../../test/support/services/in-app.ts";

const { clock, it, identify, define, send, sync, report } = await inAppService();

const ids = (messages: { delivery_id: string }[]) => messages.map((message) => message.delivery_id);

describe("the main job", () => {
  test("a message is defined, sent, synced, shown, clicked and dismissed", async () => {
    await identify("ann", { first_name: "Ann" });
    const message = await define({
      name: "Spring offer",
      title: "Hi {{person.first_name}}",
      body: "<b>20 %</b>",
      image_url: "https://cdn.acme.test/a.png",
      cta: { label: "Open", action: "deep_link", value: "app://offers" },
      priority: 75,
      expiry: { amount: 3, unit: "days" },
      screens: { include: ["checkout/*"], exclude: ["checkout/pay"] },
      persistence: {
        mode: "persistent_until_dismissed",
        max_impressions: 5,
        min_interval: { amount: 6, unit: "hours" },
      },
    });
    const delivery = await send(message, "ann");
    expect(await sync("ann", "&screen=home")).toEqual([]);
    expect(await sync("ann", "&screen=checkout/pay")).toEqual([]);
    expect(await sync("ann")).toEqual([]);
    expect(await sync("ann", "&screen=%20checkout/cart%20")).toEqual([
      {
        delivery_id: delivery,
        message_id: message,
        render_type: "modal",
        priority: 75,
        content: { title: "Hi Ann", body: "<b>20 %</b>", image_url: "https://cdn.acme.test/a.png" },
        ctas: [{ id: "primary", label: "Open", action: "deep_link", value: "app://offers" }],
        expires_at: "2026-03-13T12:00:00.000Z",
        persistence: {
          mode: "persistent_until_dismissed",
          max_impressions_total: 5,
          min_interval_seconds: 21_600,
        },
      },
    ]);
    const body = { person_id: "ann", screen: "checkout/cart", platform: "ios", app_version: "1.2" };
    expect((await report(delivery, "impression", body)).body).toEqual({
      delivery_id: delivery,
      status: "shown",
      recorded: true,
    });
    expect(await sync("ann", "&screen=checkout/cart")).toEqual([]);
    clock.forward(6 * 3_600_000);
    expect(ids(await sync("ann", "&screen=checkout/cart"))).toEqual([delivery]);
    expect((await report(delivery, "click", { ...body, action_id: "primary" })).body.status).toBe("shown");
    expect((await report(delivery, "dismiss", { ...body, reason: "done" })).body.status).toBe("dismissed");
    expect((await report(delivery, "dismiss", body)).body).toMatchObject({ status: "dismissed", recorded: false });
    expect(await sync("ann", "&screen=checkout/cart")).toEqual([]);
    const log = await it.call("GET", "/api/v1/people/ann/activity");
    const types: string[] = log.body.data.map((entry: { type: string }) => entry.type);
    expect(types.filter((type) => type.startsWith("in_app."))).toEqual([
      "in_app.dismiss",
      "in_app.click",
      "in_app.impression",
      "in_app.queued",
    ]);
    const shown = await it.call("GET", `/api/v1/deliveries/${delivery}`);
    expect(shown.body).toMatchObject({ channel: "in_app", status: "dismissed", impressions: 1, source: "test" });
  });

  test("an unknown person gets an empty array, and the answer has a strong ETag", async () => {
    const answer = await it.call("GET", `${MESSAGES}/sync?person_id=nobody`);
    expect(answer).toMatchObject({ status: 200, body: [] });
    expect(answer.headers["cache-control"]).toBe("private, no-cache");
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(answer.headers.etag).toMatch(/^"[^"]+"$/);
  });

  test("If-None-Match answers 304 until something changes", async () => {
    await identify("etag");
    await send(await define(), "etag");
    const url = `${MESSAGES}/sync?person_id=etag`;
    const first = await it.call("GET", url);
    const tag = first.headers.etag as string;
    for (const header of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
      const again = await it.call("GET", url, { headers: { "if-none-match": header } });
      expect([again.status, again.body, again.headers.etag]).toEqual([304, "", tag]);
    }
    await send(await define(), "etag");
    expect((await it.call("GET", url, { headers: { "if-none-match": tag } })).status).toBe(200);
  });

  test("order is priority, then queue time, and limit is kept", async () => {
    await identify("order");
    const low = await define({ priority: 10 });
    const high = await define({ priority: 100 });
    const first = await send(low, "order");
    clock.forward(1_000);
    const second = await send(high, "order");
    clock.forward(1_000);
    const third = await send(high, "order");
    expect(ids(await sync("order"))).toEqual([second, third, first]);
    expect(ids(await sync("order", "&limit=2"))).toEqual([second, third]);
    for (let i = 0; i < 12; i++) await send(low, "order");
    expect(await sync("order")).toHaveLength(10);
    expect(await sync("order", "&limit=50")).toHaveLength(15);
  });

  test("hidden messages never starve a visible one, however many there are", async () => {
    await identify("starved");
    const hidden = await define({ priority: 100, screens: { include: ["elsewhere"] } });
    const visible = await define({ priority: 1 });
    const { db } = it.service.ground;
    await send(hidden, "starved");
    await db.execute({
      text: `insert into deliveries (person_key, id, workspace_id, channel, source, status, queued_at, message_id, message_version, live, priority)
        select person_key, gen_random_uuid(), workspace_id, channel, source, status, queued_at + (n % 7) * interval '1 microsecond', message_id, message_version, live, priority
        from deliveries, generate_series(1, 1500) n where message_id = (select message_id from deliveries order by queued_at desc, id desc limit 1)`,
      values: [],
    });
    const delivery = await send(visible, "starved");
    expect(ids(await sync("starved", "&screen=here"))).toEqual([delivery]);
    const everywhere = await sync("starved", "&screen=elsewhere&limit=50");
    expect(everywhere).toHaveLength(50);
    expect(new Set(ids(everywhere)).size).toBe(50);
  });

  test("a hidden version of a message does not hide its other versions, on later pages either", async () => {
    await identify("versions");
    const message = await define({ priority: 90, screens: { include: ["elsewhere"] } });
    const other = await define({ priority: 50, screens: { include: ["elsewhere"] } });
    const hidden = [];
    for (let i = 0; i < 5; i++) hidden.push(await send(message, "versions"), await send(other, "versions"));
    await it.call("PATCH", `/api/v1/in-app-messages/${message}`, {
      body: { priority: 10, screens: { include: ["here"] } },
    });
    const visible = [await send(message, "versions"), await send(message, "versions")];
    expect(ids(await sync("versions", "&screen=here&limit=2"))).toEqual(visible);
    expect(ids(await sync("versions", "&screen=elsewhere&limit=2"))).toHaveLength(2);
    expect(new Set(ids(await sync("versions", "&screen=elsewhere&limit=50")))).toEqual(new Set(hidden));
  });

  test("editing makes a new version; queued deliveries keep theirs", async () => {
    await identify("editor");
    const message = await define({ body: "before" });
    const delivery = await send(message, "editor");
    const edited = await it.call("PATCH", `/api/v1/in-app-messages/${message}`, {
      body: { body: "after", priority: 60 },
    });
    expect(edited.body).toMatchObject({ id: message, version: 2, body: "after", priority: 60, render_type: "modal" });
    const later = await send(message, "editor");
    const found = await sync("editor");
    expect(found.map((one) => [one.delivery_id, (one.content as { body: string }).body])).toEqual([
      [later, "after"],
      [delivery, "before"],
    ]);
    expect((await it.call("DELETE", `/api/v1/in-app-messages/${message}`)).status).toBe(204);
    expect((await it.call("GET", `/api/v1/in-app-messages/${message}`)).status).toBe(404);
    expect((await it.call("DELETE", `/api/v1/in-app-messages/${message}`)).status).toBe(404);
    expect(await sync("editor")).toHaveLength(2);
  });
});

describe("preview and test sends", () => {
  test("preview renders for a person or for given attributes, and leaves out unusable fields", async () => {
    await identify("viewer", { first_name: "Vera", avatar: "javascript:alert(1)" });
    const message = await define({
      title: "{{person.first_name}} {{trigger.order}}",
      image_url: "{{person.avatar}}",
      cta: { label: "Go", action: "deep_link", value: "{{person.avatar}}" },
    });
    const url = `/api/v1/in-app-messages/${message}/preview`;
    const known = await it.call("POST", url, { body: { person_id: "viewer", trigger: { order: 7 } } });
    expect(known.body).toMatchObject({ content: { title: "Vera 7", image_url: null }, ctas: [] });
    expect(known.body.left_out.sort()).toEqual(["cta", "image_url"]);
    const given = await it.call("POST", url, {
      body: { person: { first_name: "Ida", avatar: "https://a.test/i.png" } },
    });
    expect(given.body).toMatchObject({ content: { title: "Ida ", image_url: "https://a.test/i.png" }, left_out: [] });
    expect(await it.call("POST", url)).toMatchObject({ status: 200, body: { content: { title: " " } } });
    expect(given.body.ctas).toEqual([
      { id: "primary", label: "Go", action: "deep_link", value: "https://a.test/i.png" },
    ]);
    expect((await it.call("POST", url, { body: { person_id: "nobody" } })).body.code).toBe("person_not_found");
    await send(message, "viewer");
    expect(await sync("viewer")).toMatchObject([{ content: { title: "Vera ", image_url: null }, ctas: [] }]);
  });

  test("a message that is not saved is previewed by the rules of one that is", async () => {
    await identify("reader", { first_name: "Rita" });
    const url = "/api/v1/in-app-messages/preview-draft";
    const message = { name: "Draft", render_type: "banner", body: "Hi {{person.first_name}}", priority: 75 };
    const drawn = await it.call("POST", url, { body: { message, person_id: "reader" } });
    expect(drawn).toMatchObject({
      status: 200,
      body: { render_type: "banner", content: { body: "Hi Rita" }, ctas: [] },
    });
    expect(drawn.body).not.toHaveProperty("message_id");
    const refused = (changed: object) => it.call("POST", url, { body: { message: { ...message, ...changed } } });
    expect(await refused({ image_url: "ftp://a.test" })).toMatchObject({
      status: 400,
      body: { code: "invalid_request", errors: [{ pointer: "/message/image_url" }] },
    });
    expect(await refused({ body: "{{person.first_name" })).toMatchObject({
      status: 422,
      body: { code: "template_error", errors: [{ pointer: "/message/body" }] },
    });
  });

  test("a test send needs a known person, allow_in_app, and is idempotent", async () => {
    await identify("tester");
    const message = await define();
    const url = `/api/v1/in-app-messages/${message}/test-sends`;
    expect(await it.call("POST", url, { body: { person_id: "stranger" } })).toMatchObject({
      status: 404,
      body: { code: "person_not_found" },
    });
    const headers = { "idempotency-key": "send-1" };
    const first = await it.call("POST", url, { body: { person_id: "tester" }, headers });
    const second = await it.call("POST", url, { body: { person_id: "tester" }, headers });
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.body).toEqual(first.body);
    expect(await sync("tester")).toHaveLength(1);
    await it.call("PATCH", "/api/v1/workspace", { body: { allow_in_app: false } });
    const refused = await it.call("POST", url, { body: { person_id: "tester" } });
    expect(refused).toMatchObject({ status: 422, body: { code: "in_app_disabled" } });
    expect(await sync("tester")).toHaveLength(1);
    await it.call("PATCH", "/api/v1/workspace", { body: { allow_in_app: true } });
  });
});
