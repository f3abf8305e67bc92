// DOORS: the people who use the dashboard: accounts, sign-in, sessions, and who may do what in which workspace.
import type { Slice } from "../workspaces/index.ts";
import type { MembersGround } from "./ground.ts";
import { pages } from "./pages.ts";

export { bootstrapOwner, setupLink } from "./account/setup.ts";
export { type Letter, type MembersGround, membersOn } from "./ground.ts";
export { memberGuard } from "./guard.ts";
export { PASSWORD_COST, type PasswordCost } from "./proof/password.ts";

/** What the roof connects. */
export const slice: Slice<MembersGround> = { name: "members", pages };

declare module "../platform/ids.ts" {
  interface Prefixes {
    mem: true;
    ses: true;
  }
}
