import type { Warning } from "@tidings/contract/messages/transactionals";
import { fieldsOf } from "../content/index.ts";
import { partsOf, usableSender } from "../outbound/index.ts";
import { missingAttributes } from "../people/index.ts";
import type { Queries } from "../platform/db/index.ts";
import type { Workspace } from "../workspaces/index.ts";
import type { TransactionalRow } from "./store.ts";
import { withTemplates } from "./templated.ts";

/** A warning is given if at least this share of the people lacks an attribute: they would read an empty text. */
const WARN_SHARE = 0.1;
/** A smaller number of people tells nothing about future people. */
const LEAST_PEOPLE = 10;

/** Returns warnings for the author of a transactional. None of them prevents sending. */
export async function warningsOf(
  q: Queries,
  row: TransactionalRow,
  { sender_defaults: senders }: Pick<Workspace, "sender_defaults">,
): Promise<Warning[]> {
  const warnings: Warning[] = [];
  if (row.subscription_preference === "all") {
    warnings.push({
      code: "reaches_unsubscribed",
      message:
        "It reaches people who unsubscribed, too. That needs a legal basis, as receipts and security notices have; misuse can lead to the suspension of the account.",
    });
  }
  const [filled = row] = await withTemplates(q, [row]);
  const { from } = filled.content;
  if (
    row.channel === "email" &&
    (typeof from !== "string" || from.trim() === "") &&
    !usableSender(senders.email_from)
  ) {
    warnings.push({
      code: "sender_missing",
      field: "content.from",
      message:
        "The email has no sender: give from, or set email_from in the workspace's sender_defaults. Without a sender no real provider accepts it.",
    });
  }
  const fields = fieldsOf(partsOf(filled.channel, filled.content)).person;
  const names = fields.filter(({ required }) => required).map(({ name }) => name);
  if (names.length === 0) return warnings;
  const { people, missing } = await missingAttributes(q, row.workspace_id, names);
  for (const { name, count } of missing) {
    if (people < LEAST_PEOPLE || count < people * WARN_SHARE) continue;
    warnings.push({
      code: "attribute_often_missing",
      field: `person.${name}`,
      message: `person.${name} is missing for ${count} of the ${people} people who changed last: they read an empty text. Give it a default.`,
    });
  }
  return warnings;
}
