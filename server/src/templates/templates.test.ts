import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { LAYOUTS, mjml, SNIPPETS, TEMPLATES, templatesService } from "../../test/support/services/templates.ts";

/** A snippet's name that no other test has taken. */
const newName = () => `t-${randomUUID()}`;
const { it, template, read, preview, layout, snippet } = await templatesService();

describe("email templates", () => {
  test("one is made, read, listed, edited and deleted", async () => {
    const one = await template();
    expect(one).toMatchObject({ id: expect.stringMatching(/^tpl_/), version: 1, format: "html", plaintext: null });
    expect(await read(one.id)).toEqual(one);
    const { body: _, plaintext: __, ...summary } = one;
    expect((await it.call("GET", TEMPLATES)).body.data[0]).toEqual(summary);
    const url = `${TEMPLATES}/${one.id}`;
    const edited = (await it.call("PATCH", url, { body: { subject: "Hello", preheader: "Look" } })).body;
    expect(edited).toMatchObject({ version: 2, subject: "Hello", preheader: "Look", body: "<p>Hello</p>" });
    expect((await it.call("DELETE", url)).status).toBe(204);
    for (const method of ["GET", "DELETE"] as const) expect((await it.call(method, url)).status).toBe(404);
    expect((await it.call("GET", `${url}/versions`)).status).toBe(404);
  });

  test("a new name alone makes no version, nor does an edit that changes nothing", async () => {
    const { id } = await template();
    const url = `${TEMPLATES}/${id}`;
    expect((await it.call("PATCH", url, { body: { name: "Other" } })).body).toMatchObject({
      name: "Other",
      version: 1,
    });
    expect((await it.call("PATCH", url, { body: { body: "<p>Hello</p>" } })).body).toMatchObject({ version: 1 });
    expect((await it.call("PATCH", url, { body: {} })).body).toMatchObject({ name: "Other", version: 1 });
  });

  test("name and texts are edited in one call, as one version", async () => {
    const { id } = await template();
    const edited = await it.call("PATCH", `${TEMPLATES}/${id}`, { body: { name: "Other", subject: "Hello" } });
    expect(edited).toMatchObject({ status: 200, body: { name: "Other", subject: "Hello", version: 2 } });
    expect(await read(id)).toMatchObject({ name: "Other", subject: "Hello", version: 2 });
  });

  test("the format is what the body begins with, also after an edit", async () => {
    const one = await template({ body: `<!-- a -->\n{% assign x = 1 %}${mjml("<mj-text>x</mj-text>")}` });
    expect(one.format).toBe("mjml");
    const edited = await it.call("PATCH", `${TEMPLATES}/${one.id}`, { body: { body: "<p>x</p>" } });
    expect(edited.body).toMatchObject({ format: "html", version: 2 });
  });

  test("an Idempotency-Key makes one template, whatever happened since", async () => {
    const { id } = await layout("<div>{{ content }}</div>");
    const body = { name: "Once", subject: "x", body: "y", layout_id: id };
    const headers = { "idempotency-key": "one-template" };
    const first = await it.call("POST", TEMPLATES, { body, headers });
    expect(first.status).toBe(201);
    await it.call("DELETE", `${TEMPLATES}/${first.body.id}`);
    expect((await it.call("DELETE", `${LAYOUTS}/${id}`)).status).toBe(204);
    const again = await it.call("POST", TEMPLATES, { body, headers });
    expect(again).toMatchObject({ status: 201, body: first.body, headers: { "idempotent-replayed": "true" } });
  });

  test.each([
    [{ subject: undefined }, "/subject"],
    [{ body: "" }, "/body"],
    [{ body: "x".repeat(524_289) }, "/body"],
    [{ subject: "a\r\nBcc: x@y.z" }, "/subject"],
    [{ from: "x@y.z, evil@y.z" }, "/from"],
    [{ reply_to: "nobody" }, "/reply_to"],
    [{ format: "markdown" }, "/format"],
    [{ layout_id: "tpl_01h455vb4pex5vsknk084sn02q" }, "/layout_id"],
    [{ layout_id: "lay_01h455vb4pex5vsknk084sn02q" }, "/layout_id"],
    [{ nonsense: 1 }, "/nonsense"],
  ])("%.60j is refused, naming %s", async (wrong, pointer) => {
    const answer = await it.call("POST", TEMPLATES, { body: { name: "A", subject: "a", body: "b", ...wrong } });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request", errors: [{ pointer }] } });
  });

  test.each([
    [{ subject: "{{ a" }, "subject", 1, 1],
    [{ body: "fine\n  {% include '.env' %}" }, "body", 2, 3],
    [{ body: "<p>{% if a %}\n</p>" }, "body", 1, 4],
    [{ body: mjml("\n <mj-txt>x</mj-txt>") }, "body", 2, 2],
    [{ body: mjml("<mj-text>\n{% nonsense %}</mj-text>") }, "body", 2, 1],
    [{ body: "<p>\n<mj-text>x</mj-text></p>" }, "body", 2, 1],
    [{ body: "<mj-text>x</mj-text>" }, "body", 1, 1],
    [{ body: 'a\n{% snippet "nowhere" %}' }, "body", 2, 1],
    [{ body: "a\n {% snippet nowhere %}" }, "body", 2, 2],
    [{ body: "{{ a }}".repeat(5_001) }, "body", null, null],
    [{ body: mjml('<mj-text color="{% if person.a %}red" align="{% endif %}left">x</mj-text>') }, "body", 1, 1],
  ])("%.80j is a template_error with its part, line and column", async (wrong, part, line, column) => {
    const answer = await it.call("POST", TEMPLATES, { body: { name: "A", subject: "a", body: "b", ...wrong } });
    expect(answer).toMatchObject({ status: 422, body: { code: "template_error", part, line, column } });
  });

  test("500 KB of HTML are taken and sent whole", async () => {
    const body = `<p>${"x".repeat(500_000)}{{ trigger.end }}</p>`;
    const { id } = await template({ body });
    expect((await preview(id, { message_data: { end: "END" } })).body).toBe(body.replace("{{ trigger.end }}", "END"));
  });

  test("500 KB of MJML are compiled or refused, while others are answered", async () => {
    const work = it.call("POST", TEMPLATES, {
      body: { name: "A", subject: "a", body: mjml(`<mj-text>${"word ".repeat(100_000)}</mj-text>`) },
    });
    expect((await it.call("GET", TEMPLATES)).status).toBe(200);
    expect((await work).status).toBe(201);
  });
});

describe("versions", () => {
  test("each keeps its texts, and one is restored as a new version", async () => {
    const one = await template({ body: "<p>one</p>", preheader: "first" });
    const url = `${TEMPLATES}/${one.id}`;
    await it.call("PATCH", url, { body: { body: "<p>two</p>", preheader: null } });
    expect((await it.call("GET", `${url}/versions/1`)).body).toMatchObject({ body: "<p>one</p>", preheader: "first" });
    const restored = await it.call("POST", `${url}/versions/1/restore`);
    expect(restored).toMatchObject({ status: 200, body: { version: 3, body: "<p>one</p>", preheader: "first" } });
    expect((await preview(one.id)).body).toBe("<p>one</p>");
    const headers = { "idempotency-key": "restore-once" };
    const [first, again] = [
      await it.call("POST", `${url}/versions/2/restore`, { headers }),
      await it.call("POST", `${url}/versions/2/restore`, { headers }),
    ];
    expect(again).toMatchObject({ body: first.body, headers: { "idempotent-replayed": "true" } });
    const list = (await it.call("GET", `${url}/versions`)).body;
    expect(list.data.map((v: { version: number; cause: string }) => [v.version, v.cause])).toEqual([
      [4, "restored"],
      [3, "restored"],
      [2, "edited"],
      [1, "created"],
    ]);
    const by = { type: "api_key", name: "secret key", id: expect.any(String) };
    expect(list.data.map((v: { created_by: object }) => v.created_by)).toEqual([by, by, by, by]);
    expect((await it.call("GET", `${url}/versions/1`)).body.created_by).toEqual(by);
    const page = (await it.call("GET", `${url}/versions?limit=2`)).body;
    const rest = (await it.call("GET", `${url}/versions?cursor=${page.next_cursor}`)).body;
    expect([...page.data, ...rest.data]).toEqual(list.data);
  });

  test("a version that is not there is 404, a number that can be none 400", async () => {
    const { id } = await template();
    for (const path of ["versions/2", "versions/2147483647"])
      expect(await it.call("GET", `${TEMPLATES}/${id}/${path}`)).toMatchObject({ status: 404 });
    expect((await it.call("POST", `${TEMPLATES}/${id}/versions/2/restore`)).status).toBe(404);
    for (const path of ["0", "x", "99999999999"])
      expect((await it.call("GET", `${TEMPLATES}/${id}/versions/${path}`)).status).toBe(400);
    const far = Buffer.from('["9999999999999999999"]').toString("base64url");
    expect(await it.call("GET", `${TEMPLATES}/${id}/versions?cursor=${far}`)).toMatchObject({ status: 400 });
  });

  test("restoring what had a layout that is gone says so", async () => {
    const { id: layoutId } = await layout("<div>{{ content }}</div>", "Gone");
    const one = await template({ layout_id: layoutId });
    await it.call("PATCH", `${TEMPLATES}/${one.id}`, { body: { layout_id: null } });
    expect((await it.call("DELETE", `${LAYOUTS}/${layoutId}`)).status).toBe(204);
    const answer = await it.call("POST", `${TEMPLATES}/${one.id}/versions/1/restore`);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: "/layout_id" }] } });
  });

  test("edits at once make a version each and lose nothing", async () => {
    const { id } = await template({ name: "Busy" });
    const edits = ["preheader", "from", "reply_to"].map((name) =>
      it.call("PATCH", `${TEMPLATES}/${id}`, { body: { [name]: "ada@example.test" } }),
    );
    for (const answer of await Promise.all(edits)) expect(answer.status).toBe(200);
    const value = "ada@example.test";
    expect(await read(id)).toMatchObject({ version: 4, preheader: value, from: value, reply_to: value });
  });
});

describe("the list", () => {
  test("has those that a change of a layout or a snippet would change", async () => {
    const note = await snippet(newName(), "x");
    const frame = await layout(`{{ content }}{% snippet "${note.name}" %}`);
    const [first, second] = [await template({ layout_id: frame.id }), await template({ layout_id: frame.id })];
    const third = await template({ body: `{% snippet "${note.name}" %}`, name: "Third" });
    const listed = async (query: string) => {
      const { data, counts } = (await it.call("GET", `${TEMPLATES}?counts=true&${query}`)).body;
      return [data.map((one: { id: string }) => one.id), counts.total];
    };
    expect(await listed(`layout_id=${frame.id}`)).toEqual([[second.id, first.id], 2]);
    expect(await listed(`snippet=${note.name}`)).toEqual([[third.id, second.id, first.id], 3]);
    expect(await listed(`snippet=${note.name}&q=third`)).toEqual([[third.id], 1]);
    expect(await listed("layout_id=lay_nonsense")).toEqual([[], 0]);
  });
});

describe("preview", () => {
  test("fills in a known person, sample attributes and data, makes the text part, and lists what is missing", async () => {
    await it.call("POST", "/data-gateway/v1/identify", {
      body: { person_id: "ada", attributes: { first_name: "Ada <b>", plan: "pro" } },
    });
    const { id } = await template({
      preheader: "for {{ person.plan }}",
      body: "<h1>{{ person.first_name }}</h1><p>{{ trigger.order }} {{ trigger.note | default: 'none' }}</p>",
    });
    expect(await preview(id, { person_id: "ada", person: { plan: "free" } })).toEqual({
      version: 1,
      subject: "Hi Ada <b>",
      preheader: "for free",
      body: "<h1>Ada &lt;b&gt;</h1><p> none</p>",
      plaintext: "ADA <B>\n\nnone",
      from: null,
      reply_to: null,
      missing: ["order"],
    });
    expect((await preview(id, { message_data: { order: 7 } })).missing).toEqual([]);
    const nobody = await it.call("POST", `${TEMPLATES}/${id}/preview`, { body: { person_id: "nobody" } });
    expect(nobody).toMatchObject({ status: 404, body: { code: "person_not_found" } });
    expect((await it.call("POST", `${TEMPLATES}/${id}/preview`)).status).toBe(200);
  });

  test("shows the author's own text part where there is one", async () => {
    const { id } = await template({ plaintext: "Just {{ person.first_name }}" });
    expect((await preview(id, { person: { first_name: "Ada & co" } })).plaintext).toBe("Just Ada & co");
  });

  test("shows MJML as HTML with loops and conditions filled in", async () => {
    const { id } = await template({
      body: mjml('{% for i in trigger.items %}<mj-text css-class="{{ i.class }}">{{ i.name }}</mj-text>{% endfor %}'),
    });
    const { body, missing } = await preview(id, {
      message_data: { items: [{ name: "<tea>", class: "a" }, { name: "two" }] },
    });
    expect(body).toContain("&lt;tea&gt;");
    expect(body).toContain('class="a"');
    expect(body).toContain("two");
    expect(body).not.toContain("{%");
    expect(missing).toEqual([]);
  });

  const ofTexts = (body: object) => it.call("POST", `${TEMPLATES}/preview-texts`, { body });

  test("shows texts that are not saved, in a saved layout and in one that is not", async () => {
    await it.call("POST", "/data-gateway/v1/identify", {
      body: { person_id: "mia", attributes: { first_name: "Mia" } },
    });
    const note = await snippet(newName(), "<i>saved</i>");
    const frame = await layout(`<main>{{ content }}</main>{% snippet "${note.name}" %}`);
    const texts = { subject: "Hi {{ person.first_name }}", body: "<p>{{ trigger.order }}</p>", layout_id: frame.id };
    const answer = await ofTexts({ ...texts, person_id: "mia", message_data: { order: 7 } });
    expect(answer).toMatchObject({
      status: 200,
      body: { format: "html", subject: "Hi Mia", body: "<main><p>7</p></main><i>saved</i>", missing: [] },
    });
    const changed = { name: note.name, body: "<b>typed</b>" };
    expect((await ofTexts({ ...texts, snippet: changed })).body.body).toBe("<main><p></p></main><b>typed</b>");
    const around = { body: `<div>{{ content }}{% snippet "${note.name}" %}</div>` };
    expect((await ofTexts({ body: "x", layout: around })).body.body).toBe("<div>x<i>saved</i></div>");
    const none = await ofTexts({ body: `{% snippet "${newName()}" %}` });
    expect(none).toMatchObject({ status: 422, body: { code: "template_error", part: "body", line: 1, column: 1 } });
    const broken = await ofTexts({ ...texts, snippet: { name: note.name, body: "\n{% endif %}" } });
    expect(broken).toMatchObject({ status: 422, body: { part: `snippet ${note.name}`, line: 2, column: 1 } });
    expect((await it.call("GET", TEMPLATES)).body.data.map((one: { subject: string }) => one.subject)).not.toContain(
      texts.subject,
    );
  });

  test("Liquid that never ends is stopped", async () => {
    const { id } = await template({
      body: "{% for a in (1..9999) %}{% for b in (1..9999) %}x{% endfor %}{% endfor %}",
    });
    const answer = await it.call("POST", `${TEMPLATES}/${id}/preview`, { body: {} });
    expect(answer).toMatchObject({ status: 422, body: { code: "template_error" } });
  });
});

describe("another workspace", () => {
  test("sees no template, layout or snippet, and takes none into its own", async () => {
    const theirs = await it.another();
    const [one, frame] = [await template(), await layout("<div>{{ content }}</div>", "Ours")];
    const { body: note } = await it.call("POST", SNIPPETS, { body: { name: "ours", body: "secret words" } });
    const key = theirs.secretKey;
    for (const url of [`${TEMPLATES}/${one.id}`, `${LAYOUTS}/${frame.id}`, `${SNIPPETS}/${note.id}`])
      for (const method of ["GET", "DELETE"] as const) expect((await it.call(method, url, { key })).status).toBe(404);
    for (const url of [TEMPLATES, LAYOUTS, SNIPPETS])
      expect((await it.call("GET", url, { key })).body.data).toEqual([]);
    const body = { name: "A", subject: "a", body: '{% snippet "ours" %}' };
    expect((await it.call("POST", TEMPLATES, { key, body })).status).toBe(422);
    const framed = { ...body, body: "b", layout_id: frame.id };
    expect((await it.call("POST", TEMPLATES, { key, body: framed })).status).toBe(400);
    await it.call("POST", SNIPPETS, { key, body: { name: "ours", body: "their words" } });
    const made = await template({ body: '{% snippet "ours" %}' }, key);
    expect((await it.call("POST", `${TEMPLATES}/${made.id}/preview`, { key, body: {} })).body.body).toBe("their words");
  });
});
