import type { LiquidScope } from "../../content/liquid/scope.ts";
import type { Advice } from "../checks/advice.ts";

/** What a template can read: the data of any call, and in campaigns a batch. */
export const TEMPLATE_SCOPE: LiquidScope = { trigger: {}, batch: true };

/** A wish to see a place of a text. */
export interface Jump {
  part: Advice["part"];
  line: number;
}
