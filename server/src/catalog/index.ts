// FACTS: what events, their properties and people's attributes are called, for editors.
import type { Slice } from "../workspaces/index.ts";
import { jobs } from "./jobs.ts";
import { product } from "./product.ts";

export { type CatalogGround, catalogNotes } from "./notes.ts";

/** What the roof connects. */
export const slice: Slice = { name: "catalog", product, jobs };
