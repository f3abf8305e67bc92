// Storey 3, HOW: email templates, layouts and snippets, compiled when they are written, so that sending never compiles.
export { checkTemplate, noTemplate, templateIdOf } from "./named.ts";
export { newestTemplates, templateAt } from "./newest.ts";
export { product } from "./product.ts";
export type { UsedBy } from "./template.ts";
