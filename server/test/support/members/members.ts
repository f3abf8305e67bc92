import { expect } from "vitest";
import { setupLink } from "../../../src/members/index.ts";
import { encodeId } from "../../../src/platform/ids.ts";
import { type Browser, browserOf } from "../browser.ts";
import { testService } from "../service.ts";

export const PASSWORD = "correct horse battery";

export const tokenOf = (link: string | undefined) => link?.split("#token=")[1] ?? "";

/** A service with an owner, with common steps of its tests. */
export async function memberService() {
  const encryptionKey = Buffer.alloc(32, 7);
  const it = await testService({
    encryptionKey,
    env: { ALLOW_PRIVATE_NETWORK: "true", PUBLIC_URL: "http://localhost:4000" },
  });
  const { ground } = it.service;
  const workspace = encodeId("ws", it.workspaceId);

  const owner = browserOf(it);
  const link = await setupLink(ground.db, "http://localhost:4000", new Date());
  const setup = await owner.post("/setup", { email: "ada@example.org", password: PASSWORD, token: tokenOf(link) });
  const ownerId = setup.body.member.id as string;
  const asOwner = (method: "GET" | "POST" | "PATCH" | "DELETE" | "PUT", url: string, body?: unknown) =>
    owner.inWorkspace(workspace, method, url, body);

  const invite = async (email: string, role = "viewer") => {
    const answer = await asOwner("POST", "/members", { email, role });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return { ...answer.body, token: tokenOf(answer.body.invite_url) } as { id: string; token: string; mailed: boolean };
  };
  /** Invites somebody who accepts. */
  async function member(email: string, role: string): Promise<{ id: string; browser: Browser }> {
    const { id, token } = await invite(email, role);
    const browser = browserOf(it);
    const answer = await browser.post("/invitations/accept", { token, password: PASSWORD, name: role });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return { id, browser };
  }
  return { encryptionKey, it, workspace, owner, ownerId, asOwner, invite, member, ground };
}
