// The one list of storeys. Tests compare it with the imports, the pictures in docs/architecture.md and README.md, and the first line
// of each slice's index.ts. To add a slice, add it here: the tests then name each text that lacks it.

export interface Storey {
  name: string;
  /** Folders of server/src. Slices of one storey never import each other. */
  slices: string[];
  /** What its slices do or contain. */
  means: string;
}

/** From the ground to the top: imports only go down. */
export const storeys: Storey[] = [
  { name: "ground", slices: ["platform"], means: "HTTP, database, signals, jobs: nothing about the product" },
  { name: "WHERE", slices: ["workspaces"], means: "the workspace, its keys, its settings" },
  {
    name: "FACTS",
    slices: ["people", "events", "screens", "catalog", "activity"],
    means: "what is known about people, and the log",
  },
  {
    name: "DOORS",
    slices: ["ingest", "analytics", "members"],
    means: "accepts identify, track and batch; counts what became of messages; signs members in",
  },
  {
    name: "WHAT",
    slices: ["content", "subscriptions", "audiences", "media"],
    means: "Liquid and HTML; what people want, and suppressed addresses; filters over people; images",
  },
  {
    name: "HOW",
    slices: ["outbound", "inapp", "webhooks", "live", "outflow", "templates"],
    means:
      "sends through providers; serves applications; reports events; shows what happens; streams data out; stores email templates",
  },
  { name: "TO MANY", slices: ["sendings"], means: "the editions of a message to many people, and who gets which one" },
  { name: "WHY", slices: ["transactionals", "broadcasts", "campaigns"], means: "why a message is sent" },
  { name: "COMPAT", slices: ["compat"], means: "translates calls of the clients of other services" },
];

/** Returns the number of a folder's storey. The files of src itself ("") are the roof; the folder of a process and the command line are above it. */
export function storeyOf(slice: string): number | undefined {
  const above = ["", "process", "cli"].indexOf(slice);
  if (above >= 0) return storeys.length + above;
  const at = storeys.findIndex(({ slices }) => slices.includes(slice));
  return at < 0 ? undefined : at;
}

/** Returns the lines of the picture in docs/architecture.md. */
export function picture(): string {
  const width = (of: (storey: Storey) => string) => Math.max(...storeys.map((storey) => of(storey).length));
  const slices = (storey: Storey) => storey.slices.join("   ");
  const [name, names] = [width((storey) => storey.name), width(slices)];
  return storeys
    .map((storey, i) => ` ${i}  ${storey.name.padEnd(name)}  ${slices(storey).padEnd(names)}  ${storey.means}`)
    .toReversed()
    .join("\n");
}

/** Returns the nodes and arrows of the picture in README.md, below its roof. */
export function diagram(): string {
  return storeys
    .map(({ name, slices, means }, i) => {
      const id = (storey: number) => `storey${storey}`;
      const above = i + 1 === storeys.length ? "roof" : id(i + 1);
      return `  ${above} --> ${id(i)}["<b>${name}</b>: ${slices.join(", ")}<br>${means.replaceAll("; ", "<br>")}"]`;
    })
    .toReversed()
    .join("\n");
}
