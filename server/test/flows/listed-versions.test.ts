import { expect, test } from "vitest";
import { testService } from "../support/service.ts";

const it = await testService();

test("members, keys and suppressed addresses name their version in the list, and change only as long as it is the same", async () => {
  const listed = async (path: string) => (await it.call("GET", `/api/v1${path}`)).body.data[0];
  const half = (tag: string | undefined) => tag?.split(".")[0];
  const whose = { channel: "sms", address: "+41790000001" };
  const made = {
    "/members": await it.call("POST", "/api/v1/members", { body: { email: "eve@example.test", role: "viewer" } }),
    "/api-keys": await it.call("POST", "/api/v1/api-keys", { body: { kind: "secret", name: "Late" } }),
    "/suppressions": await it.call("POST", "/api/v1/suppressions", { body: whose }),
  };
  for (const [path, { headers }] of Object.entries(made))
    expect(half((await listed(path)).etag), path).toBe(half(headers.etag));
  const late = async (method: "PATCH" | "POST" | "DELETE", path: string, tag: string, body?: object) => {
    const answer = await it.call(method, `/api/v1${path}`, { ...(body && { body }), headers: { "if-match": tag } });
    expect(answer, path).toMatchObject({ status: 412, body: { code: "changed_meanwhile" } });
    expect(answer.body, path).toMatchObject({ changed_by: { name: "secret key" }, changed_at: expect.any(String) });
  };
  const member = await listed("/members");
  const promoted = await it.call("PATCH", `/api/v1/members/${member.id}`, {
    body: { role: "editor" },
    headers: { "if-match": member.etag },
  });
  expect(promoted.headers.etag).toBe((await it.call("GET", `/api/v1/members/${member.id}`)).headers.etag);
  await late("PATCH", `/members/${member.id}`, member.etag, { role: "owner" });
  await late("DELETE", `/members/${member.id}`, member.etag);
  const key = await listed("/api-keys");
  await it.call("POST", `/api/v1/api-keys/${key.id}/roll`, { body: {}, headers: { "if-match": key.etag } });
  await late("POST", `/api-keys/${key.id}/roll`, key.etag, {});
  await late("DELETE", `/api-keys/${key.id}`, key.etag);
  const entry = await listed("/suppressions");
  const url = `/suppressions?${new URLSearchParams(whose)}`;
  await it.call("DELETE", `/api/v1${url}`, { headers: { "if-match": entry.etag } });
  expect((await it.call("DELETE", `/api/v1${url}`)).status).toBe(404);
  await it.call("POST", "/api/v1/suppressions", { body: { ...whose, reason: "complaint" } });
  await late("DELETE", url, entry.etag);
  expect((await listed("/suppressions")).reason).toBe("complaint");
});
