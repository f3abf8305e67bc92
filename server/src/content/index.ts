// WHAT: templates and Liquid. Time, memory and output are bounded, whatever the template says.
export { isDeepLink, isImageAddress } from "./addresses.ts";
export {
  checkParts,
  fieldsOf,
  htmlOf,
  misfits,
  missingFields,
  nameOfCampaigns,
  type NamedField,
  renderParts,
  textOf,
} from "./content.ts";
export { MarkupError } from "./html/markup.ts";
export { isDynamic, type Part } from "./liquid/compile.ts";
export { type Cause, isOfCampaigns, type Scope } from "./liquid/scope.ts";
export { checkValue, renderValue, stepsNamedIn } from "./values.ts";
export type { Use } from "./liquid/uses.ts";
export type { RenderTurn } from "./threads/threads.ts";
