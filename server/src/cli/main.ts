import { version } from "../platform/version.ts";
import { HELP, helpOf, isCommand } from "./help.ts";

type Command = (args: string[]) => Promise<void>;

/** The signals that stop the service, which `onSignals` takes over. */
const EARLY = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Each command is loaded when it is called: otherwise `--version` and `--help` would take the 1.4 s of loading the server. */
const commands: Record<string, () => Promise<Command>> = {
  serve: async () => {
    // Until the server's code is loaded. As the first process of a container this one would otherwise ignore a signal.
    const leave = () => process.exit(0);
    for (const signal of EARLY) process.on(signal, leave);
    (await import("./start/announce.ts")).announce();
    const { serve } = await import("./start/serve.ts");
    return (args) => {
      const served = serve(args);
      for (const signal of EARLY) process.off(signal, leave);
      return served;
    };
  },
  migrate: async () => (await import("./migrations.ts")).migrations,
  distribute: async () => (await import("./distribute/distribute.ts")).distribute,
  keys: async () => (await import("./workspaces/keys.ts")).keys,
  workspaces: async () => (await import("./workspaces/workspaces.ts")).workspaces,
  members: async () => (await import("./workspaces/members.ts")).members,
  campaigns: async () => (await import("./campaigns/campaigns.ts")).campaigns,
  doctor: async () => (await import("./doctor.ts")).doctor,
  demo: async () => (await import("./demo/index.ts")).demo,
  backup: async () => (await import("./backup/backup.ts")).backup,
  restore: async () => (await import("./backup/restore.ts")).restore,
  types: async () => (await import("./type-files/write-types.ts")).types,
  tail: async () => (await import("./follow/tail.ts")).tail,
  webhooks: async () => (await import("./follow/webhooks.ts")).webhooks,
};

/** The program `tidings`: the first word is the command, the other words are its arguments. */
export async function main(args: string[]): Promise<void> {
  const [name = "help", ...rest] = args;
  if (name === "--version" || name === "-v") return console.log(version);
  if (name === "help" || name === "--help" || name === "-h") return showHelp(rest[0]);
  if (rest.includes("--help") || rest.includes("-h")) return showHelp(name);
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load) return unknown(name);
  try {
    await (await load())(rest);
  } catch (error) {
    const { explain } = await import("./terminal/explain.ts");
    for (const line of explain(error, name)) console.error(`tidings: ${line}`);
    process.exitCode = 1;
  }
}

function showHelp(name: string | undefined): void {
  if (name === undefined) console.log(HELP);
  else if (isCommand(name)) console.log(helpOf(name));
  else unknown(name);
}

function unknown(name: string): void {
  console.error(`tidings: there is no command "${name}". See \`npx tidings help\`.`);
  process.exitCode = 1;
}
