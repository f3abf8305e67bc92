interface Help {
  /** For the list of all commands. */
  summary: string;
  usage: string[];
  /** What it does, if the summary does not say everything. */
  text?: string;
  options?: [option: string, means: string][];
  example: string;
  /** What exit code 0 means, and what 1 means. */
  exit: [done: string, failed: string];
}

const workspace: [string, string] = ["--workspace WS_ID", "which workspace, if there is more than one"];
const json: [string, string] = ["--json", "print JSON instead of text"];
const url: [string, string] = ["--url ADDRESS", "the address of the service; by default from HOST and PORT"];
const readKey: [string, string] = [
  "--secret-key KEY",
  "by default it creates a temporary key in the database, which can only read",
];

const commands = {
  serve: {
    summary: "run the service (what npm start does)",
    usage: ["serve"],
    text: "Runs in the foreground until Ctrl-C or SIGTERM. Without DATABASE_URL it starts the PostgreSQL that npm\ninstalled, with its files in DATA_DIR.",
    example: "PORT=5000 npx tidings serve",
    exit: ["it stopped after a signal", "it could not start, or did not stop within 10 s"],
  },
  migrate: {
    summary: "bring the database's schema up to date",
    usage: ["migrate"],
    text: "Every start of the service does this, too. A deployment can run it before it replaces the processes.",
    options: [json],
    example: "npx tidings migrate --json",
    exit: ["the schema is up to date", "a migration failed; those before it were applied"],
  },
  distribute: {
    summary: "put the database on Citus, or what a migration has added to it",
    usage: ["distribute"],
    text: "Spreads the tables of people over the nodes of a cluster; docs/citus.md tells how to prepare it. The service must be\nstopped. It can be cut off and run again at any time: what is done stays done.",
    options: [
      ["--dry-run", "print what it would do, and change nothing; the service may run"],
      ["--shards NUMBER", "into how many shards, at the first run; 32 by default"],
      json,
    ],
    example: "npx tidings distribute --dry-run",
    exit: ["the database is on Citus", "the line on stderr says what is missing; steps that were done stay"],
  },
  keys: {
    summary: "API keys of a workspace: create, list, roll, revoke",
    usage: ["keys list", "keys create --kind secret|public", "keys roll KEY_ID", "keys revoke KEY_ID"],
    text: "A key is shown once, when it is created. Every node answers 401 to a revoked key within 1 s. Rolling creates a key with\nthe same rights, and the old one works for some time longer.",
    options: [
      ["--kind KIND", "secret (back ends: everything) or public (applications)"],
      ["--name NAME", "1 to 200 characters, for the list"],
      ["--scopes LIST", "limits a secret key: read, send, ingest, author, admin, separated by commas"],
      ["--expires WHEN", "a time such as 2027-01-31T00:00:00Z, or a length: 90d, 12h, 30m"],
      ["--overlap LENGTH", "how long a rolled key still works; 24h by default"],
      workspace,
      json,
    ],
    example: "npx tidings keys create --kind secret --name billing",
    exit: ["done", "nothing was changed; the line on stderr says why"],
  },
  workspaces: {
    summary: "workspaces: create, list, suspend, resume",
    usage: ["workspaces list", "workspaces create NAME", "workspaces suspend WS_ID", "workspaces resume WS_ID"],
    text: "The two keys of a new workspace are shown once. Calls for a suspended workspace get 403 within 1 s, and it sends nothing;\nits queued deliveries are canceled after 24 hours.",
    options: [json],
    example: 'npx tidings workspaces create "Second brand"',
    exit: ["done", "nothing was changed; the line on stderr says why"],
  },
  members: {
    summary: "members of the dashboard: invite, list, remove, and links for new passwords",
    usage: ["members list", "members invite EMAIL", "members reset-link EMAIL", "members remove EMAIL"],
    text: "Prints the link instead of mailing it, and each link works once. A member may belong to several workspaces: reset-link is about\nthe account, the others are about one workspace.",
    options: [
      ["--role ROLE", "invite: owner (by default), editor or viewer"],
      ["--without-second-factor", "reset-link: also remove the authenticator, the passkeys and all sessions"],
      workspace,
      json,
    ],
    example: "npx tidings members invite ada@example.com --role editor",
    exit: ["done", "nothing was changed; the line on stderr says why"],
  },
  campaigns: {
    summary: "list, show, activate, pause, resume, archive and simulate campaigns, and start and cancel their runs",
    usage: [
      "campaigns list",
      "campaigns show|activate|pause|resume|archive CAMPAIGN",
      "campaigns runs CAMPAIGN [RUN_ID]",
      "campaigns start CAMPAIGN --person PERSON_ID",
      "campaigns cancel CAMPAIGN --key KEY",
      "campaigns simulate CAMPAIGN --person PERSON_ID|--file FILE",
    ],
    text: "Calls the running service. CAMPAIGN is an id, or a name that only one campaign has. With a RUN_ID, runs shows the result\nof each step of this run. Simulate writes nothing: it prints what the latest draft would do for the person, and when.",
    options: [
      ["--inside WHAT", "activate, where the journey changed while people are in it: stay, move or end"],
      ["--person PERSON_ID", "who starts or is simulated; of runs, only those of this person"],
      ["--data JSON", "start, simulate: an object that content reads as {{trigger.*}}"],
      ["--event NAME", "simulate: an event that the person does now, with the properties of --data"],
      [
        "--file FILE",
        "simulate: the whole input as JSON, with a made-up person, events and times; see docs/campaigns.md",
      ],
      ["--key KEY", "the cancellation_key: start sets it, cancel ends the runs that have it"],
      ["--step STEP_ID", "runs: only those that are at this step"],
      ["--status STATUS", "runs: only active, completed, exited, failed or canceled ones"],
      ["--limit NUMBER", "runs: how many, the latest entries first; 50 by default"],
      url,
      ["--secret-key KEY", "by default it creates a temporary key in the database"],
      workspace,
      json,
    ],
    example: 'npx tidings campaigns start Welcome --person ada --data \'{"plan": "pro"}\'',
    exit: ["done", "nothing was changed; the line on stderr says why"],
  },
  doctor: {
    summary: "check database, migrations, clock, providers and encryption key",
    usage: ["doctor"],
    text: "Prints one line for each check: ok, warn (it works, but look at it) or FAIL.",
    options: [json],
    example: "npx tidings doctor",
    exit: ["no check failed", "at least one check failed"],
  },
  demo: {
    summary: "play the main job against a running service",
    usage: ["demo"],
    text: "Works in a workspace of its own, which it creates in the database and removes at the end, so it mails nobody. With keys\nit works in their workspace: if that has a real provider, the email is canceled before it is sent, and the\nmessages of the campaign are in-app messages. Everything that it created is removed.",
    options: [
      url,
      ["--secret-key KEY", "with --public-key: for a service whose database can't be reached from here"],
      ["--public-key KEY", "with --secret-key"],
      json,
    ],
    example: "npx tidings demo --url http://localhost:4000",
    exit: ["every step succeeded", "a step failed; its line says why"],
  },
  backup: {
    summary: "write everything in the database into one file",
    usage: ["backup FILE"],
    text: "Works while the service runs. The encryption key is never in the file. The key of an embedded database is written\nto FILE.key; keep the two files apart.",
    options: [json],
    example: "npx tidings backup tidings-monday.backup",
    exit: ["the file is complete", "no file was written; an earlier file of this name is unchanged"],
  },
  restore: {
    summary: "put a backup into an empty database",
    usage: ["restore FILE"],
    text: "The service must be stopped. Without DATABASE_URL the database is created in DATA_DIR. The schema of an\nolder backup is migrated to this version.",
    options: [
      ["--key-file FILE", "the backup's encryption key; by default ENCRYPTION_KEY, FILE.key, or the key in DATA_DIR"],
      ["--without-key", "restore without the key: the providers' credentials must be entered again"],
      ["--overwrite", "remove everything that is in the database now"],
      json,
    ],
    example: "DATA_DIR=./elsewhere npx tidings restore tidings-monday.backup",
    exit: ["the whole backup is restored", "it is not; the line on stderr says why"],
  },
  types: {
    summary: "write TypeScript types for all transactionals, for @tidings/node",
    usage: ["types"],
    options: [
      ["--out FILE", "the file to write; by default the types are printed"],
      url,
      ["--secret-key KEY", "by default it creates a temporary key in the database"],
      workspace,
    ],
    example: "npx tidings types --out src/transactionals.ts",
    exit: ["the types are written", "they are not; the line on stderr says why"],
  },
  tail: {
    summary: "print what happens in a workspace, as it happens",
    usage: ["tail"],
    text: "Prints the last events and then each new one, until Ctrl-C: its time, type, person, recipient, source and delivery, and what\nelse is known. A service that restarts is asked again, and no event is left out.",
    options: [
      ["--types LIST", "only these, such as email.bounced,person.*; docs/webhooks.md has all"],
      ["--person PERSON_ID", "only those of this person"],
      ["--lines NUMBER", "how many events from before are shown first, 0 to 200; 10 by default"],
      url,
      readKey,
      workspace,
      ["--json", "print each event as JSON on a line of its own"],
    ],
    example: "npx tidings tail --types 'email.*' --person ada",
    exit: ["it was ended by Ctrl-C", "the line on stderr says why it could not go on"],
  },
  webhooks: {
    summary: "listen: call an address on this machine with each new event",
    usage: ["webhooks listen --to ADDRESS"],
    text: "For development: your receiver needs no public address and no endpoint. Each call is signed and has the body of the real\none; none is repeated. The signing secret is printed on stderr at the start.",
    options: [
      ["--to ADDRESS", "the address of your receiver"],
      ["--secret SECRET", "the secret that signs, whsec_...; by default a new one"],
      ["--types LIST", "only these, such as email.bounced,person.*; docs/webhooks.md has all"],
      url,
      readKey,
      workspace,
      ["--json", "print the result of each call as JSON on a line of its own"],
    ],
    example: "npx tidings webhooks listen --to http://localhost:3000/webhooks",
    exit: ["it was ended by Ctrl-C", "the line on stderr says why it could not go on"],
  },
} satisfies Record<string, Help>;

export const isCommand = (name: string): name is keyof typeof commands => Object.hasOwn(commands, name);

const table = (rows: [string, string][]): string => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}   ${right}`).join("\n");
};

/** The text of `tidings help`. */
export const HELP = `tidings: transactional and in-app messages

${table(Object.entries(commands).map(([name, { summary }]) => [`npx tidings ${name}`, summary]))}

  npx tidings COMMAND --help   usage, options, an example and the exit codes of a command
  npx tidings --version

Everything else is set by environment variables: see docs/config.md.`;

/** Returns the text of `tidings COMMAND --help`. */
export function helpOf(name: keyof typeof commands): string {
  const { summary, usage, text, options, example, exit }: Help = commands[name];
  const [done, failed] = exit;
  return [
    `tidings ${name}: ${summary}`,
    `Usage:\n${usage.map((line) => `  npx tidings ${line}${options ? " [options]" : ""}`).join("\n")}`,
    ...(text ? [text] : []),
    ...(options ? [`Options:\n${table(options)}`] : []),
    `Example:\n  ${example}`,
    `Exit codes:\n  0   ${done}\n  1   ${failed}`,
  ].join("\n\n");
}
