interface Help {
  /** For the list of all commands. */
  summary: string;
  usage: string[];
  /** What it does, where the summary does not say it all. */
  text?: string;
  options?: [option: string, means: string][];
  example: string;
  /** What exit code 0 says, and what 1. */
  exit: [done: string, failed: string];
}

const workspace: [string, string] = ["--workspace WS_ID", "which workspace, where there is more than one"];
const json: [string, string] = ["--json", "print JSON instead of lines for people"];
const url: [string, string] = ["--url ADDRESS", "where the service is; else where HOST and PORT say"];

const commands = {
  serve: {
    summary: "run the service (what npm start does)",
    usage: ["serve"],
    text: "Runs in the foreground until Ctrl-C or SIGTERM. Without DATABASE_URL it starts the PostgreSQL that npm brought,\nwith its files in DATA_DIR.",
    example: "PORT=5000 npx tidings serve",
    exit: ["it was asked to stop, and did", "it could not start, or did not stop within 10 s"],
  },
  migrate: {
    summary: "bring the database's schema up to date",
    usage: ["migrate"],
    text: "Every start of the service does the same; a deploy runs it apart, before it replaces the processes.",
    options: [json],
    example: "npx tidings migrate --json",
    exit: ["the schema is up to date", "a migration failed; those before it are in"],
  },
  keys: {
    summary: "API keys of a workspace: create, list, roll, revoke",
    usage: ["keys list", "keys create --kind secret|public", "keys roll KEY_ID", "keys revoke KEY_ID"],
    text: "A key is shown once, when it is made. A revoked one is answered 401 on every node within 5 s. Rolling makes one that may do the\nsame, and lets the old one work for a while longer.",
    options: [
      ["--kind KIND", "secret (back ends: everything) or public (applications)"],
      ["--name NAME", "1 to 200 characters, for the list"],
      ["--scopes LIST", "narrows a secret key: read, send, ingest, author, admin, separated by commas"],
      ["--expires WHEN", "2027-01-31T00:00:00Z, or how long it lives: 90d, 12h, 30m"],
      ["--overlap LENGTH", "for how long a rolled key goes on working; 24h unless told"],
      workspace,
      json,
    ],
    example: "npx tidings keys create --kind secret --name billing",
    exit: ["done", "nothing was changed; the line on stderr says why"],
  },
  workspaces: {
    summary: "workspaces: create, list, suspend, resume",
    usage: ["workspaces list", "workspaces create NAME", "workspaces suspend WS_ID", "workspaces resume WS_ID"],
    text: "A new workspace's two keys are shown once. A suspended one is answered 403 within 5 s and sends nothing; what waits is canceled after 24 hours.",
    options: [json],
    example: 'npx tidings workspaces create "Second brand"',
    exit: ["done", "nothing was changed; the line on stderr says why"],
  },
  doctor: {
    summary: "check database, migrations, clock, providers and encryption key",
    usage: ["doctor"],
    text: "One line for each check: ok, warn (works, and should be looked at) or FAIL.",
    options: [json],
    example: "npx tidings doctor",
    exit: ["no check failed", "at least one failed"],
  },
  demo: {
    summary: "play the main job against a running service",
    usage: ["demo"],
    text: "Plays in a workspace of its own, made beside the database and removed at the end, so it mails nobody. With keys it plays\nin their workspace: where a real provider is set there its email is taken back unsent, and what it made is removed.",
    options: [
      url,
      ["--secret-key KEY", "with --public-key: of a service whose database can't be reached from here"],
      ["--public-key KEY", "with --secret-key"],
      json,
    ],
    example: "npx tidings demo --url http://localhost:4000",
    exit: ["everything is as it should be", "a step is not; its line says which and why"],
  },
  backup: {
    summary: "write everything in the database into one file",
    usage: ["backup FILE"],
    text: "Works while the service runs. The encryption key is never in the file: that of an embedded database is written\nbeside it, as FILE.key; keep the two apart.",
    options: [json],
    example: "npx tidings backup tidings-monday.backup",
    exit: ["the file is whole", "no file was written, or the one before is still there"],
  },
  restore: {
    summary: "put a backup into an empty database",
    usage: ["restore FILE"],
    text: "The service must be stopped. Without DATABASE_URL the database is made in DATA_DIR. A backup of an older version is\nbrought up to this one.",
    options: [
      ["--key-file FILE", "the backup's encryption key; else ENCRYPTION_KEY, FILE.key beside it, or that of DATA_DIR"],
      ["--without-key", "restore all the same: the providers' credentials must be entered again"],
      ["--overwrite", "lose what is in the database now"],
      json,
    ],
    example: "DATA_DIR=./elsewhere npx tidings restore tidings-monday.backup",
    exit: ["everything of the backup is there", "the line on stderr says what was in the way"],
  },
  types: {
    summary: "write TypeScript types for all transactionals, for @tidings/node",
    usage: ["types"],
    options: [
      ["--out FILE", "the file to write; else they are printed"],
      url,
      ["--secret-key KEY", "else it makes a key for the moment, beside the database"],
      workspace,
    ],
    example: "npx tidings types --out src/transactionals.ts",
    exit: ["the types are written", "the service, the key or the file is not as it should be"],
  },
} satisfies Record<string, Help>;

export const isCommand = (name: string): name is keyof typeof commands => Object.hasOwn(commands, name);

const table = (rows: [string, string][]): string => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}   ${right}`).join("\n");
};

/** What `tidings help` prints. */
export const HELP = `tidings: transactional and in-app messages

${table(Object.entries(commands).map(([name, { summary }]) => [`npx tidings ${name}`, summary]))}

  npx tidings COMMAND --help   usage, options, an example and the exit codes of one
  npx tidings --version

Everything else is set by environment variables: see docs/config.md.`;

/** What `tidings COMMAND --help` prints. */
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
