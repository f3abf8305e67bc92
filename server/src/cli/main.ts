import { version } from "../platform/version.ts";
import { demo } from "./demo/index.ts";
import { doctor } from "./doctor.ts";
import { explain } from "./explain.ts";
import { HELP } from "./help.ts";
import { keys } from "./keys.ts";
import { migrations } from "./migrations.ts";
import { Refused } from "./refused.ts";
import { serve } from "./serve.ts";
import { workspaces } from "./workspaces.ts";
import { types } from "./write-types.ts";

const commands: Record<string, (args: string[]) => Promise<void>> = {
  serve,
  migrate: migrations,
  keys,
  workspaces,
  doctor,
  demo,
  types,
};

/** The command `tidings`: the first word chooses, the rest belongs to the one chosen. */
export async function main(args: string[]): Promise<void> {
  const [name = "help", ...rest] = args;
  if (name === "--version" || name === "-v") return console.log(version);
  if (name === "help" || name === "--help" || name === "-h" || rest.includes("--help")) return console.log(HELP);
  try {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command) throw new Refused(`there is no command "${name}". See \`npx tidings help\`.`);
    await command(rest);
  } catch (error) {
    for (const line of explain(error)) console.error(`tidings: ${line}`);
    process.exitCode = 1;
  }
}
