import { forgetInAnswers } from "../../platform/resources/idempotency.ts";
import { type Held, held } from "../../workspaces/index.ts";
import { forgetAddresses, suppressionsOf } from "./suppression-store.ts";

/** The suppression list knows people by their addresses. */
export const holds: Held[] = [
  held("suppressions", {
    page: suppressionsOf,
    async erase(tx, whose) {
      if (whose.addresses.length === 0) return;
      await forgetAddresses(tx, whose);
      // Putting an address on the list may be repeated with its Idempotency-Key, and its answer is kept for that.
      const answers = { scope: whose.workspaceId, route: "POST /api/v1/suppressions", field: "address" };
      await forgetInAnswers(tx, answers, whose.addresses);
    },
  }),
];
