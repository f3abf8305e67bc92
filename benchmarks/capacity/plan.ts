import { parseArgs } from "node:util";

/** What an installation is to carry. Rates are those of a day; shares are of the deliveries of their channel. */
export interface Plan {
  deliveriesPerDay: number;
  /** Shares of the deliveries; together 1. */
  channels: Record<Channel, number>;
  retentionDays: number;
  people: number;
  /** Of the in-app deliveries. */
  seen: number;
  clicked: number;
  dismissed: number;
  /** Syncs that find nothing new, for each in-app delivery. */
  syncs: number;
  eventsPerDay: number;
  /** How many times more than on average the busiest hour has. */
  peak: number;
  /** How long checkpoints of PostgreSQL are apart. */
  checkpointMinutes: number;
  /** What one PostgreSQL may use. */
  databaseCores: number;
  databaseDiskGb: number;
  databaseLogMbPerSecond: number;
}

const CHANNELS = ["in_app", "email", "push", "sms"] as const;
export type Channel = (typeof CHANNELS)[number];

export const USAGE = `npm run capacity -- --deliveries-per-day 1e9 [--OPTION VALUE]
  --channels in_app=0.8,email=0.15,push=0.04,sms=0.01   shares of the deliveries, together 1
  --retention-days 30         how long deliveries, their log and events are kept
  --people N                  a tenth of the deliveries of a day, unless it is given
  --seen 0.5 --clicked 0.1 --dismissed 0.3    shares of the in-app deliveries; all others expire
  --syncs 3                   syncs without anything new, for each in-app delivery
  --events-per-day N          as many as deliveries, unless it is given
  --peak 3                    how many times more than on average the busiest hour has
  --checkpoint-minutes 15     checkpoint_timeout of PostgreSQL
  --database-cores 32 --database-disk-gb 8000 --database-log-mb-per-second 200    what one PostgreSQL may use`;

const DEFAULTS = {
  "deliveries-per-day": "1e6",
  channels: "in_app=0.8,email=0.15,push=0.04,sms=0.01",
  "retention-days": "30",
  people: "",
  seen: "0.5",
  clicked: "0.1",
  dismissed: "0.3",
  syncs: "3",
  "events-per-day": "",
  peak: "3",
  "checkpoint-minutes": "15",
  "database-cores": "32",
  "database-disk-gb": "8000",
  "database-log-mb-per-second": "200",
};
type Option = keyof typeof DEFAULTS;

/** Reads a plan from arguments of the command line. @throws Error that names the option and what it must be */
export function planFrom(args: string[]): Plan {
  const options = Object.fromEntries(
    Object.entries(DEFAULTS).map(([name, text]) => [name, { type: "string" as const, default: text }]),
  );
  const given = parseArgs({ args, options, strict: true }).values as Record<Option, string>;
  const number = (name: Option, { most = Number.MAX_SAFE_INTEGER, least = 0 } = {}) => {
    const value = Number(given[name]);
    if (given[name].trim() !== "" && value >= least && value <= most) return value;
    throw new Error(`--${name} must be a number from ${least} to ${most}, such as ${DEFAULTS[name] || "1e6"}`);
  };
  const share = (name: Option) => number(name, { most: 1 });
  const deliveriesPerDay = number("deliveries-per-day", { least: 1 });
  return {
    deliveriesPerDay,
    channels: channelsFrom(given.channels),
    retentionDays: number("retention-days", { least: 1, most: 3_650 }),
    people: given.people === "" ? Math.ceil(deliveriesPerDay / 10) : number("people", { least: 1 }),
    seen: share("seen"),
    clicked: share("clicked"),
    dismissed: share("dismissed"),
    syncs: number("syncs"),
    eventsPerDay: given["events-per-day"] === "" ? deliveriesPerDay : number("events-per-day"),
    peak: number("peak", { least: 1, most: 24 }),
    checkpointMinutes: number("checkpoint-minutes", { least: 1, most: 1_440 }),
    databaseCores: number("database-cores", { least: 1 }),
    databaseDiskGb: number("database-disk-gb", { least: 1 }),
    databaseLogMbPerSecond: number("database-log-mb-per-second", { least: 1 }),
  };
}

function channelsFrom(text: string): Plan["channels"] {
  const channels = { in_app: 0, email: 0, push: 0, sms: 0 };
  for (const part of text.split(",")) {
    const [name = "", share = ""] = part.split("=");
    if (!(name in channels) || share === "" || !(Number(share) >= 0))
      throw new Error(`--channels must be shares of ${CHANNELS.join(", ")}, such as ${DEFAULTS.channels}`);
    channels[name as Channel] = Number(share);
  }
  const sum = Object.values(channels).reduce((all, share) => all + share, 0);
  if (Math.abs(sum - 1) > 0.001) throw new Error(`the shares of --channels must be 1 together; they are ${sum}`);
  return channels;
}
