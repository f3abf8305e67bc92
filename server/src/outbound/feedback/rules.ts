// How feedback changes a delivery that was handed over. Providers report in any order, late, and often twice:
//
//   sent -> failed      the provider gave up, which shows nothing about the address
//        -> delivered   the recipient's side took it; also after `failed`, where the provider was mistaken or did not know yet
//        -> bounced     it was refused for good, also after it was taken
//        -> complained  it was marked as spam, which only a recipient who has it can do
//
// So the statuses have an order, and a delivery only ever advances: the same reports in any order, any number of times, lead to
// the same status. Opens, clicks and unsubscribes are kept as times beside the status, each the earliest. A soft bounce changes
// nothing and is only logged. A `suppressed` or `canceled` delivery stays so.

/** The kinds of feedback about a delivery. */
export type FeedbackKind = "delivered" | "bounced" | "complained" | "failed" | "opened" | "clicked" | "unsubscribed";

/** The statuses that feedback can lead to; a delivery advances from left to right. */
export const STATUS_ORDER = ["sent", "failed", "delivered", "bounced", "complained"] as const;
type FeedbackStatus = (typeof STATUS_ORDER)[number];

/** What reports make of a delivery: its status, and when each kind happened first. */
export interface FeedbackState {
  status: FeedbackStatus;
  /** All kinds but `failed` have a column for their time. */
  times: Partial<Record<Exclude<FeedbackKind, "failed">, Date>>;
}

export interface Report {
  kind: FeedbackKind;
  at: Date;
  /** Of bounces: the address is dead, and a repeat can never help. */
  permanent?: boolean | undefined;
}

export const JUST_SENT: FeedbackState = { status: "sent", times: {} };

/** Returns the state after one more report. The status never goes back; a repeated report changes nothing. */
export function afterReport(state: FeedbackState, { kind, at, permanent }: Report): FeedbackState {
  if (kind === "bounced" && permanent !== true) return state;
  if (kind === "failed") return { ...state, status: later(state.status, kind) };
  const before = state.times[kind];
  const times = { ...state.times, [kind]: before && before < at ? before : at };
  const isStatus = kind === "delivered" || kind === "bounced" || kind === "complained";
  return { times, status: isStatus ? later(state.status, kind) : state.status };
}

const later = (a: FeedbackStatus, b: FeedbackStatus): FeedbackStatus =>
  STATUS_ORDER.indexOf(a) < STATUS_ORDER.indexOf(b) ? b : a;
