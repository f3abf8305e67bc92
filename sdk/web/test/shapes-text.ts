// Writes src/shapes.ts from the contract's schemas.

import { BatchResult } from "@tidings/contract/facts/ingest";
import { Inbox, InboxItem, InteractionResults, ShownCta, ShownMessage } from "@tidings/contract/inapp/messages";
import { keyOf, type Schema, typeOf } from "../../type-text.ts";

const HEAD = `// What the service answers to an application, written from the contract by \`npx vitest run sdk/web/test/shapes-text.test.ts -u\`.
// Do not edit.
`;

const SHAPES: [name: string, meaning: string, schema: object][] = [
  ["Cta", "A button of a message.", ShownCta],
  ["Message", "A message that may be shown to this person on this screen now.", ShownMessage],
  ["InboxItem", "A card of the inbox.", InboxItem],
  ["InboxPage", "A page of the inbox.", Inbox],
  ["InteractionResults", "The results of the reports of one call, in the order of the reports.", InteractionResults],
  ["BatchResult", "The results of the items of one call, in the order of the items.", BatchResult],
];

/** Returns the text of src/shapes.ts. */
export function shapesText(): string {
  const texts = SHAPES.map(
    ([name, meaning, schema]) => `/** ${meaning} */\nexport interface ${name} {\n${fieldsOf(schema as Schema)}}\n`,
  );
  return [HEAD, ...texts].join("\n");
}

function fieldsOf({ properties = {}, required = [] }: Schema): string {
  return Object.entries(properties)
    .map(([name, one]) => {
      const meaning = one.description ? `  /** ${one.description} */\n` : "";
      return `${meaning}  ${keyOf(name)}${required.includes(name) ? "" : "?"}: ${typeOf(named(one), false)};\n`;
    })
    .join("");
}

/** Returns the schema with a reference in place of each schema that has a name here. */
function named(schema: Schema): Schema {
  const names = new Map(SHAPES.map(([name, , one]) => [JSON.stringify(one), name]));
  return JSON.parse(
    JSON.stringify(schema, (_, one) => {
      const name = names.get(JSON.stringify(one));
      return name ? { $ref: name } : one;
    }),
  );
}
