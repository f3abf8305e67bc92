// What becomes of a delivery once it has left the house. A provider tells in any order, late, and often twice:
//
//   sent -> failed      it gave up, and nothing is said of the address
//        -> delivered   the other side took it; also after `failed`, where the provider was mistaken or had not heard
//        -> bounced     refused for good, also after it was taken
//        -> complained  marked as spam, which only who has it can do
//
// So a status is a height, and a delivery only ever climbs: the same reports in any order, any number of times, end in the
// same status. What was opened, clicked and unsubscribed from are times beside it, the earliest wins. A soft bounce changes
// nothing: it only stands in the log. What is suppressed or canceled stays so.

/** What is told of a delivery. */
export type FeedbackKind = "delivered" | "bounced" | "complained" | "failed" | "opened" | "clicked" | "unsubscribed";

/** From low to high. */
export const HEIGHTS = ["sent", "failed", "delivered", "bounced", "complained"] as const;
export type Height = (typeof HEIGHTS)[number];

/** The columns that keep when something happened first. */
export const MOMENTS = ["delivered", "bounced", "complained", "opened", "clicked", "unsubscribed"] as const;

/** What a delivery became: its height and when what happened first. */
export interface Fate {
  height: Height;
  times: Partial<Record<(typeof MOMENTS)[number], Date>>;
}

export interface Report {
  kind: FeedbackKind;
  at: Date;
  /** Bounces: whether repeating it can ever help. */
  permanent?: boolean | undefined;
}

export const JUST_SENT: Fate = { height: "sent", times: {} };

/** The fate after one more report. Never lower; the same report again changes nothing. */
export function told(fate: Fate, { kind, at, permanent }: Report): Fate {
  if (kind === "bounced" && permanent !== true) return fate;
  if (kind === "failed") return { ...fate, height: higher(fate.height, kind) };
  const before = fate.times[kind];
  const times = { ...fate.times, [kind]: before && before < at ? before : at };
  const isHeight = kind === "delivered" || kind === "bounced" || kind === "complained";
  return { times, height: isHeight ? higher(fate.height, kind) : fate.height };
}

const higher = (a: Height, b: Height): Height => (HEIGHTS.indexOf(a) < HEIGHTS.indexOf(b) ? b : a);
