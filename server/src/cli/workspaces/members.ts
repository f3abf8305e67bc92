import { parseArgs } from "node:util";
import { type Role, roles } from "@tidings/contract/members";
import {
  describeMember,
  emailOf,
  invitationLink,
  invite,
  memberByEmail,
  membershipsOf,
  removeMember,
  resetLink,
} from "../../members/index.ts";
import { readConfig } from "../../platform/config.ts";
import { byCommand } from "../../workspaces/index.ts";
import { withDatabase } from "../connect/database.ts";
import { columns, printJson } from "../terminal/columns.ts";
import { Refused } from "../terminal/refused.ts";
import { chosenWorkspace } from "./workspaces.ts";

/** The API lists more members than this, in pages. */
const MOST = 1_000;
const VERBS = ["invite", "list", "reset-link", "remove"];

/** `tidings members invite|list|reset-link|remove`. */
export async function members(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      workspace: { type: "string" },
      role: { type: "string" },
      "without-second-factor": { type: "boolean" },
      json: { type: "boolean" },
    },
  });
  const [verb = "", argument] = positionals;
  if (!VERBS.includes(verb)) throw new Refused("members takes invite, list, reset-link or remove");
  const email = argument === undefined ? undefined : emailOf(argument);
  if (verb !== "list" && !email) throw new Refused(`${verb} takes the email address of a member`);
  const role = values.role ?? "owner";
  if (!isRole(role)) throw new Refused(`--role takes ${roles.join(", ")}`);
  const config = readConfig();
  const now = new Date();
  await withDatabase(config, async (db) => {
    const show = (found: object, text: string) => (values.json ? printJson(found) : console.log(text));
    const known = async () => {
      const member = email && (await memberByEmail(db, email.key));
      if (!member) throw new Refused(`there is no member ${argument}: see \`npx tidings members list\``);
      return member;
    };
    if (verb === "reset-link") {
      const { id } = await known();
      const wholly = values["without-second-factor"] === true;
      const url = await db.transaction((tx) => resetLink(tx, config.publicUrl, { memberId: id, now, wholly }));
      return show({ url }, `${url}\nWhoever opens this address within the hour sets a new password, once.`);
    }
    const workspace = await chosenWorkspace(db, values.workspace);
    const origin = byCommand(workspace.id, `tidings members ${verb}`);
    if (verb === "list") {
      const rows = (await membershipsOf(db, workspace.id, undefined, MOST)).map(describeMember);
      const cells = rows.map((row) => [row.id, row.role, row.status, row.email, row.name ?? ""]);
      return show(rows, columns(["id", "role", "status", "email", "name"], cells));
    }
    if (verb === "remove") {
      const { id, email: address } = await known();
      await db.transaction((tx) => removeMember(tx, origin, id, now));
      return show({ email: address }, "Removed: their sessions lose the workspace within 1 s.");
    }
    if (!email) return;
    const { row, token } = await db.transaction((tx) => invite(tx, origin, { email, role }, now));
    const url = invitationLink(config.publicUrl, token);
    show(
      { ...describeMember(row), invite_url: url },
      `${url}\nWhoever opens this address within seven days joins as ${role}. It is shown only this once.`,
    );
  });
}

const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text);
