import { type Examples, one } from "./example.ts";

const PASSWORD = "correct horse battery staple";
const TOKEN = "6gJ0XUpfR2yN1h3kQ8mZbW4tYcVsLdEaHrOiKjTuPxw";

export const memberExamples: Examples = {
  createSetup: one("The token is in the link that the start prints", {
    token: TOKEN,
    email: "ada@example.com",
    password: PASSWORD,
    name: "Ada",
  }),
  postSession: {
    password: { summary: "By password", value: { email: "ada@example.com", password: PASSWORD } },
    code: {
      summary: "With the code of an authenticator",
      value: { email: "ada@example.com", password: PASSWORD, code: "123456" },
    },
  },
  patchMember: one("Another name", { name: "Ada Lovelace" }),
  postPassword: one("A new password", { current_password: PASSWORD, new_password: "a longer phrase than before" }),
  postPasswordResets: one("For an account", { email: "ada@example.com" }),
  postPasswordResetsComplete: one("The token is in the link", { token: TOKEN, new_password: PASSWORD }),
  postSecondFactorConfirm: one("The code that the authenticator shows", { code: "123456" }),
  createMember: one("Somebody who writes messages", { email: "grace@example.com", role: "editor" }),
  patchMemberRole: one("A lower role", { role: "viewer" }),
  postInvitationsAccept: one("Somebody new", { token: TOKEN, name: "Grace", password: PASSWORD }),
  postPasskeysOptions: one("In a session that began more than 10 minutes ago", { password: PASSWORD }),
  createPasskey: one("What the browser made, shortened", {
    name: "Laptop",
    credential: { id: "AQIDBA", type: "public-key" },
  }),
  postSessionPasskey: one("What the browser answered, shortened", { credential: { id: "AQIDBA", type: "public-key" } }),
  putOidc: one("With a mapping of groups", {
    issuer: "https://login.example.com",
    client_id: "tidings",
    client_secret: "the secret of the client",
    role_mapping: { claim: "groups", roles: { owner: ["admins"], editor: ["marketing"] }, otherwise: "viewer" },
  }),
  deleteSecondFactor: one("The own password", { password: PASSWORD }),
};
