import { applyKnownSuppressions, applySuppressions, type Message, type OutboundGround } from "../outbound/index.ts";
import { hadNoEffect } from "../platform/db/index.ts";
import { decodeId, encodeId } from "../platform/ids.ts";
import { traced } from "../platform/tracing/index.ts";
import { gather } from "../platform/work/gather.ts";
import { type BatchCall, triggerBatch } from "./batch.ts";
import { type CallResult, type ReadRequest, readAll, writeAll } from "./gathered.ts";
import { onlyOnce } from "./once.ts";
import { answerOf, type CallRecords, type Prepared, parseCall, prepare, type TriggerCall } from "./prepare.ts";
import { firstAnswer } from "./repeats.ts";
import type { Ref } from "./store.ts";
import { normalName } from "./transactional.ts";

// The steps of one trigger call:
//   once      a repeat gets the answer of the first call (once.ts)
//   read      reads the definition, the person, and the suppressions of the addresses in the call, together with other calls
//             of the same moment
//   prepare   decides recipient and time, renders (channels/) and checks the subscription. Every error is found here
//   suppress  checks an address that is not in the call: that of a person who is named by id
//   write     writes person, delivery (which is the job), activity and Idempotency-Key in one transaction, together with other
//             calls; the answer comes after the commit

/** The verbs behind the trigger routes. They return after the deliveries are durable. */
export interface Trigger {
  /** Carries out one call of any channel. */
  one(call: TriggerCall): Promise<CallResult>;
  /** Carries out up to 100 calls, each with its own result. */
  batch(call: BatchCall): Promise<CallResult>;
}

/** The ground with these verbs. There is one set in a process, so that the calls of all routes share statements. */
export interface TransactionalsGround extends OutboundGround {
  trigger: Trigger;
}

/** Makes the verbs of a process. Calls of all channels share its statements. */
export function triggerer(ground: OutboundGround): Trigger {
  // One statement at once, so that batches are larger: statements are the main cost of a call on two cores.
  const together = { inFlight: 1, retryAlone: hadNoEffect };
  const read = gather<ReadRequest, CallRecords>((requests) => readAll(ground, requests), together);
  const write = gather<Prepared, CallResult>((list) => writeAll(ground, list), together);
  // A step of its own, so that it overlaps with the write of earlier calls: 0.73 x of the benchmark's floor, and 0.63 x as a part
  // of the write's transaction.
  const suppress = gather<Message, Message>((messages) => applySuppressions(ground.db, messages), together);
  const once = onlyOnce(ground);

  async function prepareCall(call: TriggerCall): Promise<Prepared> {
    const { channel, workspace, input } = call;
    const parsed = await parseCall(call, ground.clock.now());
    const ref = refOf(workspace.id, input.transactional_message_id);
    const records = await read({
      ref,
      lookup: parsed.named.lookup,
      devices: channel === "push",
      channel,
      addresses: parsed.addresses,
    });
    const ready = await prepare(ground, call, parsed, records);
    const message = applyKnownSuppressions(ready.message, records.suppressions) ?? (await suppress(ready.message));
    ground.traces.carry(message.deliveryId, ground.traces.current());
    return message === ready.message ? ready : { ...ready, message, answer: answerOf(message, ready.personId) };
  }

  /** Writes a delivery. Its sending is traced as a part of this. */
  const queueOne = (ready: Prepared): Promise<CallResult> =>
    traced(ground.traces, ["queue delivery", { kind: "producer", attributes: tracedAs(ready) }], (span) => {
      ground.traces.carry(ready.message.deliveryId, span);
      return write(ready);
    });

  async function findFirst({ mark }: TriggerCall, { message, personId }: Prepared): Promise<CallResult | undefined> {
    const { personKey } = message;
    const answer = mark?.repeat ? await firstAnswer(ground, mark, { personKey, personId }) : undefined;
    return answer && { answer, replayed: true };
  }

  return {
    one: (call) =>
      once(call, async () => {
        const ready = await prepareCall(call);
        return (await findFirst(call, ready)) ?? queueOne(ready);
      }),
    batch: (call) => once({ mark: call.mark }, () => triggerBatch(ground, { prepareCall, findFirst }, call)),
  };
}

const tracedAs = ({ message: { deliveryId, channel } }: Prepared) => ({
  "tidings.delivery_id": encodeId("dlv", deliveryId),
  "tidings.channel": channel,
});

function refOf(workspaceId: string, text: string | undefined): Ref | undefined {
  if (text === undefined) return undefined;
  const id = decodeId("tx", text);
  return id === undefined ? { workspaceId, triggerName: normalName(text) } : { workspaceId, id };
}
