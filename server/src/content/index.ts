// Storey 2, WHAT: templates and Liquid. Bounded in time, memory and output whatever the template says.
export { isDeepLink, isImageAddress } from "./addresses.ts";
export {
  type NamedField,
  checkParts,
  fieldsOf,
  htmlOf,
  misfits,
  missingFields,
  renderParts,
  textOf,
} from "./content.ts";
export { isDynamic, type Part } from "./compile.ts";
export { MarkupError } from "./markup.ts";
export type { Scope } from "./scope.ts";
export type { RenderTurn } from "./threads.ts";
export type { Use } from "./uses.ts";
