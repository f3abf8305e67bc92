import { audienceExamples } from "./audience.ts";
import { campaignExamples } from "./campaigns.ts";
import type { Examples } from "./example.ts";
import { factsExamples } from "./facts.ts";
import { inAppExamples } from "./inapp.ts";
import { memberExamples } from "./members.ts";
import { messageExamples } from "./messages.ts";
import { workspaceExamples } from "./workspaces.ts";

/** The example bodies of all operations with a JSON body, by `operationId`. A test holds each against the schema of its operation. */
export const examples: Examples = {
  ...audienceExamples,
  ...campaignExamples,
  ...factsExamples,
  ...inAppExamples,
  ...memberExamples,
  ...messageExamples,
  ...workspaceExamples,
};
