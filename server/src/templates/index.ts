// HOW: email templates, layouts and snippets. They are compiled when they are saved, so sending never compiles.
export { checkTemplate, noTemplate, templateIdOf } from "./named.ts";
export { newestTemplates, templateAt } from "./newest.ts";
export { product } from "./product.ts";
export type { UsedBy } from "./template.ts";
