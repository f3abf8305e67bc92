import type { BatchItem, BatchResult, Triggered } from "@tidings/contract/messages/transactionals";
import type { OutboundGround } from "../outbound/index.ts";
import { Problem } from "../platform/http/index.ts";
import { type Answer, claim, earlier, type Keyed, keep } from "../platform/resources/idempotency.ts";
import { nextTurn, turnIsOver } from "../platform/turns.ts";
import { createPeople, queueMessages, type Written } from "./gathered.ts";
import type { Prepared, TriggerCall } from "./prepare.ts";
import type { Mark } from "./repeats.ts";

/** A batch as it came: its items are checked one by one, so that one bad item does not spoil the others. */
export interface BatchCall {
  items: BatchItem[];
  /** Gives an item as a call. @throws Problem invalid_request */
  read(item: BatchItem, at: number): TriggerCall;
  keyed: Keyed | undefined;
  /** Of all items together, where it has no Idempotency-Key. */
  mark?: Mark | undefined;
}

/** How one item is looked at: carried out later, or found to be a repeat. */
interface Steps {
  prepared(call: TriggerCall): Promise<Prepared>;
  repeated(call: TriggerCall, ready: Prepared): Promise<Written | undefined>;
}

/**
 * Up to 100 triggers of any channel in one transaction: what can't be carried out is told by its own result, the others
 * are queued together, and the batch's Idempotency-Key protects all of it.
 */
export async function triggerBatch(
  ground: OutboundGround,
  { prepared, repeated }: Steps,
  { items, read, keyed }: BatchCall,
): Promise<Written> {
  const before = keyed && (await earlier(ground.db, keyed, ground.clock.now()));
  if (before instanceof Problem) throw before;
  if (before) return { answer: before, again: true };
  const outcomes = await Promise.all(items.map(outcomeOf));
  return ground.db.transaction(async (tx) => {
    if (keyed) {
      const [first] = await claim(tx, [keyed], ground.clock.now());
      if (first instanceof Problem) throw first;
      if (first) return { answer: first, again: true };
    }
    const calls = outcomes.filter(
      (outcome): outcome is Prepared => !(outcome instanceof Problem) && "message" in outcome,
    );
    await createPeople(tx, ground, calls);
    await queueMessages(tx, ground, calls);
    const results = outcomes.map((outcome) =>
      outcome instanceof Problem ? refusal(outcome) : accepted(outcome.answer),
    );
    const answer: Answer = { status: 200, body: { results } };
    if (keyed) await keep(tx, [{ keyed, answer }]);
    return { answer, again: calls.length === 0 && outcomes.some((outcome) => "again" in outcome) };
  });

  async function outcomeOf(item: BatchItem, at: number): Promise<Prepared | Written | Problem> {
    while (turnIsOver()) await nextTurn();
    try {
      const call = read(item, at);
      const ready = await prepared(call);
      return (await repeated(call, ready)) ?? ready;
    } catch (problem) {
      // Our own fault, or the database away: then nothing of the batch is carried out.
      if (!(problem instanceof Problem) || problem.status >= 500) throw problem;
      return problem;
    }
  }
}

/** `status` is the number here, as in every batch; whether it is suppressed has a name of its own. */
function accepted({ body }: Answer): BatchResult {
  const { status, ...rest } = body as Triggered;
  return { status: 202, ...rest, suppressed: status === "suppressed" };
}

const refusal = ({ status, code, message, options }: Problem): BatchResult => ({
  status,
  code,
  detail: message,
  ...(options.errors && { errors: options.errors.map((error) => ({ ...error })) }),
});
