import { applyKnownSuppressions, applySuppressions, type Message, type OutboundGround } from "../outbound/index.ts";
import { isRefusal } from "../platform/db/index.ts";
import { decodeId } from "../platform/ids.ts";
import { gather } from "../platform/work/gather.ts";
import { type BatchCall, triggerBatch } from "./batch.ts";
import { type Asked, readAll, type Written, writeAll } from "./gathered.ts";
import { onlyOnce } from "./once.ts";
import { answerOf, type Known, type Prepared, prepare, readCall, type TriggerCall } from "./prepare.ts";
import { firstAnswer } from "./repeats.ts";
import type { Ref } from "./store.ts";
import { spelled } from "./transactional.ts";

// One trigger call, from top to bottom:
//   once     a repeat gets the answer of the first call (once.ts)
//   read     the definition, the person, and the suppression list about the addresses in the call, as they are now, in one
//            go with the other calls of this moment
//   prepare  whom, what and when: recipient, rendering (channels/), subscription. Everything that can be wrong is wrong here
//   ask      the list again where the message goes elsewhere than the call says: to the address of a person named by id
//   write    person, delivery (which is the job), activity and Idempotency-Key in one transaction, again together with
//            others; the answer comes after the commit

/** The verbs behind the trigger routes, answered once what they queued is durable. */
export interface Trigger {
  /** One call of any channel. */
  one(call: TriggerCall): Promise<Written>;
  /** Up to 100, each with a result of its own. */
  batch(call: BatchCall): Promise<Written>;
}

/** The ground with the verbs behind the trigger routes: one set in a process, so that the calls of all routes share statements. */
export interface TransactionalsGround extends OutboundGround {
  trigger: Trigger;
}

/** Gives the verbs of a process; calls of all channels share its statements. */
export function triggerer(ground: OutboundGround): Trigger {
  const read = gather<Asked, Known>((asked) => readAll(ground, asked), { inFlight: 1 });
  // One under way, so that batches are bigger: fewer statements a call, which on two cores is what a call costs.
  const write = gather<Prepared, Written>((list) => writeAll(ground, list), { inFlight: 1, retryAlone: isRefusal });
  // A step of its own, so that it overlaps with the write before: 0.73 x of the floor, and 0.63 x inside the one transaction.
  const ask = gather<Message, Message>((messages) => applySuppressions(ground.db, messages), { inFlight: 1 });
  const once = onlyOnce(ground);

  async function prepared(call: TriggerCall): Promise<Prepared> {
    const { channel, workspace, input } = call;
    const said = await readCall(call, ground.clock.now());
    const ref = refOf(workspace.id, input.transactional_message_id);
    const known = await read({
      ref,
      lookup: said.whom.lookup,
      devices: channel === "push",
      channel,
      addresses: said.addresses,
    });
    const ready = await prepare(ground, call, said, known);
    const message = applyKnownSuppressions(ready.message, known.listed) ?? (await ask(ready.message));
    return message === ready.message ? ready : { ...ready, message, answer: answerOf(message, ready.personId) };
  }

  async function repeated({ mark }: TriggerCall, { message, personId }: Prepared): Promise<Written | undefined> {
    const { personKey } = message;
    const answer = mark?.repeat ? await firstAnswer(ground, mark, { personKey, personId }) : undefined;
    return answer && { answer, again: true };
  }

  return {
    one: (call) =>
      once(call, async () => {
        const ready = await prepared(call);
        return (await repeated(call, ready)) ?? write(ready);
      }),
    batch: (call) => once({ mark: call.mark }, () => triggerBatch(ground, { prepared, repeated }, call)),
  };
}

function refOf(workspaceId: string, text: string | undefined): Ref | undefined {
  if (text === undefined) return undefined;
  const id = decodeId("tx", text);
  return id === undefined ? { workspaceId, triggerName: spelled(text) } : { workspaceId, id };
}
