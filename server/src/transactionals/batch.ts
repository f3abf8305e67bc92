import type { BatchItem, BatchResult, Triggered } from "@tidings/contract/messages/transactionals";
import type { OutboundGround } from "../outbound/index.ts";
import { Problem } from "../platform/http/index.ts";
import { type Answer, claim, earlier, type Keyed, keep } from "../platform/resources/idempotency.ts";
import { nextTurn, turnIsOver } from "../platform/turns.ts";
import { type CallResult, createPeople, queueMessages } from "./gathered.ts";
import type { Prepared, TriggerCall } from "./prepare.ts";
import type { Mark } from "./repeats.ts";

/** A batch of calls. Its items are checked one by one, so that one wrong item does not fail the others. */
export interface BatchCall {
  items: BatchItem[];
  /** Converts an item into a call. @throws Problem invalid_request */
  read(item: BatchItem, at: number): TriggerCall;
  keyed: Keyed | undefined;
  /** The mark of all items together, if the batch has no Idempotency-Key. */
  mark?: Mark | undefined;
}

interface Steps {
  /** Prepares a call, without writing anything. @throws Problem for a call that can't be carried out */
  prepareCall(call: TriggerCall): Promise<Prepared>;
  /** Returns the result of the first call, if this one repeats it. */
  findFirst(call: TriggerCall, ready: Prepared): Promise<CallResult | undefined>;
}

/**
 * Carries out up to 100 triggers of any channel in one transaction. A wrong item has a problem as its result, and all others are
 * queued. The batch's Idempotency-Key protects all items.
 */
export async function triggerBatch(
  ground: OutboundGround,
  { prepareCall, findFirst }: Steps,
  { items, read, keyed }: BatchCall,
): Promise<CallResult> {
  const before = keyed && (await earlier(ground.db, keyed, ground.clock.now()));
  if (before instanceof Problem) throw before;
  if (before) return { answer: before, replayed: true };
  const outcomes = await Promise.all(items.map(outcomeOf));
  return ground.db.transaction(async (tx) => {
    if (keyed) {
      const [first] = await claim(tx, [keyed], ground.clock.now());
      if (first instanceof Problem) throw first;
      if (first) return { answer: first, replayed: true };
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
    return { answer, replayed: calls.length === 0 && outcomes.some((outcome) => "replayed" in outcome) };
  });

  async function outcomeOf(item: BatchItem, at: number): Promise<Prepared | CallResult | Problem> {
    while (turnIsOver()) await nextTurn();
    try {
      const call = read(item, at);
      const ready = await prepareCall(call);
      return (await findFirst(call, ready)) ?? ready;
    } catch (problem) {
      // A fault of the service, or an unreachable database: nothing of the batch is carried out.
      if (!(problem instanceof Problem) || problem.status >= 500) throw problem;
      return problem;
    }
  }
}

/** In a batch, `status` is the HTTP status of an item; `suppressed` tells the rest. */
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
