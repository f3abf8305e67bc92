import { expect } from "vitest";
import { type TestService, testService } from "../service.ts";

export const TEMPLATES = "/api/v1/email-templates";
export const LAYOUTS = "/api/v1/email-layouts";
export const SNIPPETS = "/api/v1/snippets";

/** A service, with common steps of the tests of templates. */
export async function templatesService() {
  const it: TestService = await testService();

  const made = async (url: string, body: object, key = it.secretKey) => {
    const answer = await it.call("POST", url, { key, body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const template = (body: object = {}, key?: string) =>
    made(TEMPLATES, { name: "Welcome", subject: "Hi {{person.first_name}}", body: "<p>Hello</p>", ...body }, key);
  const layout = (body: string, name = "Frame") => made(LAYOUTS, { name, body });
  const snippet = (name: string, body: string) => made(SNIPPETS, { name, body });
  const read = async (id: string) => (await it.call("GET", `${TEMPLATES}/${id}`)).body;
  const preview = async (id: string, body: object = {}) => {
    const answer = await it.call("POST", `${TEMPLATES}/${id}/preview`, { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  };
  return { it, template, layout, snippet, read, preview };
}

/** Returns an MJML document around elements of a column. */
export const mjml = (inside: string): string =>
  `<mjml><mj-body><mj-section><mj-column>${inside}</mj-column></mj-section></mj-body></mjml>`;
