import { setupLink } from "../../../src/members/index.ts";
import { encodeId } from "../../../src/platform/ids.ts";
import { browserOf } from "../browser.ts";
import { testClock, testService } from "../service.ts";

export const PASSWORD = "correct horse battery";

export const HOUR = 3_600_000;

/** Returns the token of a link. */
export const tokenOf = (link: string | undefined) => link?.split("#token=")[1] ?? "";

export const owner = { email: "Ada@Example.org", password: PASSWORD, name: "Ada" };

/** A service that nobody has set up yet, with common steps of its tests. */
export async function entranceService() {
  const clock = testClock();
  const it = await testService({ clock });
  const { ground } = it.service;
  const workspace = encodeId("ws", it.workspaceId);
  const newLink = () => setupLink(ground.db, "http://localhost:4000", clock.now());
  const signedIn = async (password = PASSWORD, rest: object = {}) => {
    const browser = browserOf(it);
    const answer = await browser.post("/session", { email: "ada@example.org", password, ...rest });
    return { browser, answer };
  };
  return { clock, it, ground, workspace, newLink, signedIn };
}
