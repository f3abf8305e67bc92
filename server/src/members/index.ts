// DOORS: the people who use the dashboard: accounts, sign-in, sessions, and who may do what in which workspace.
import type { Slice } from "../workspaces/index.ts";
import type { MembersGround } from "./ground.ts";
import { jobs } from "./jobs.ts";
import { members } from "./members-product.ts";
import { oidcSettings } from "./oidc-routes.ts";
import { pages } from "./pages.ts";
import { idleSince } from "./session/sessions.ts";
import { validSessions } from "./store/session-store.ts";

export { invitationLink } from "./account/links.ts";
export { describeMember, invite, removeMember } from "./account/membership.ts";
export { resetLink } from "./account/reset.ts";
export { bootstrapOwner, setupLink } from "./account/setup.ts";
export { type MembersGround, membersOn } from "./ground.ts";
export { memberGuard } from "./guard.ts";
export { emailOf } from "./proof/email.ts";
export { PASSWORD_COST, type PasswordCost } from "./proof/password.ts";
export { memberByEmail, membershipsOf } from "./store/account-store.ts";

/** What the roof connects. */
export const slice: Slice<MembersGround> = {
  name: "members",
  product(app, ground) {
    members(app, ground);
    oidcSettings(app, ground);
  },
  pages,
  jobs,
  validCallers: (q, callers, now) => validSessions(q, callers, { now, idleSince: idleSince(now) }),
};

declare module "../platform/ids.ts" {
  interface Prefixes {
    mem: true;
    ses: true;
    psk: true;
  }
}
