import { inAppService } from "../services/in-app.ts";

export const nobody = "aud_01kgaaaaaaaaaaaaaaaaaaaaaa";

export const email = { channel: "email", content: { subject: "Hi", body: "Hi {{person.name}}" } };

export const push = { channel: "push", content: { title: "Hi", message: "Hi" } };

/** A service with drafts that may have problems, and with things that their steps name. */
export async function draftService() {
  const { it, define } = await inAppService();
  const message = await define();
  const call = (method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: object) =>
    it.call(method, `/api/v1${path}`, body ? { body } : {});
  const make = async (path: string, body: object): Promise<string> => (await call("POST", path, body)).body.id;
  const draft = (fields: object) =>
    make("/campaigns", { name: "Test", trigger: { type: "api" }, steps: [{ id: "end", type: "exit" }], ...fields });
  const problems = async (id: string) => (await call("POST", `/campaigns/${id}/validate`)).body.problems;
  const list = await make("/audiences", { name: "List", kind: "list" });
  const filter = await make("/audiences", { name: "Filter", filter: { all: [] } });
  return { it, define, message, call, make, draft, problems, list, filter };
}
