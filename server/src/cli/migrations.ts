import { parseArgs } from "node:util";
import { readConfig } from "../platform/config.ts";
import { migrate } from "../platform/db/index.ts";
import { withAddress } from "./connect/database.ts";
import { printJson } from "./terminal/columns.ts";

/** `tidings migrate`: a deployment runs it before it replaces the processes. */
export async function migrations(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { json: { type: "boolean" } } });
  const ran = await withAddress(readConfig(), migrate);
  if (values.json) return printJson({ ran });
  for (const name of ran) console.log(`ran ${name}`);
  console.log(ran.length === 0 ? "The schema is up to date." : `${ran.length} migrations ran.`);
}
