import { parseArgs } from "node:util";
import { readConfig } from "../platform/config.ts";
import { migrate } from "../platform/db/index.ts";
import { withAddress } from "./database.ts";

/** `tidings migrate`: what a deploy runs before it replaces the processes. */
export async function migrations(args: string[]): Promise<void> {
  parseArgs({ args, options: {} });
  const ran = await withAddress(readConfig(), migrate);
  for (const name of ran) console.log(`ran ${name}`);
  console.log(ran.length === 0 ? "The schema is up to date." : `${ran.length} migrations ran.`);
}
