import type { StepOf } from "@tidings/contract/campaigns/steps";
import { putOnList, takeOffList } from "../../../audiences/index.ts";
import { attested, findPeopleByKeys, identifyPeople, readAttributes } from "../../../people/index.ts";
import { decodeId } from "../../../platform/ids.ts";
import {
  failureOf,
  forAll,
  keysOf,
  type Participant,
  type StepContext,
  type StepResult,
  type StepWork,
  valuesFor,
} from "./batch.ts";

/** Sets attributes as an identify with a secret key does, because the author of the campaign has one. */
export const update: StepWork<StepOf<"update">> = {
  async act(batch, step, participants) {
    const { tx, workspace, time, ground } = batch;
    const { country } = workspace.sender_defaults;
    const changes = await changesFor(batch, step, participants);
    const identities = participants.flatMap(({ person: { person_id: personId } }, i) => {
      const change = changes[i];
      if (!change || !("attributes" in change)) return [];
      return [
        {
          workspaceId: workspace.id,
          personId,
          change: attested(change.attributes, personId, { standing: "verified" }, country),
        },
      ];
    });
    if (identities.length > 0) await identifyPeople(tx, identities, time.now);
    tx.afterCommit(() => {
      for (const { change } of identities) ground.catalog.identified(workspace.id, change, time.now);
    });
    const changed = await findPeopleByKeys(tx, keysOf(participants));
    for (const participant of participants)
      participant.person = changed.get(participant.person.person_key) ?? participant.person;
    return changes.map((change): StepResult => ("attributes" in change ? {} : change));
  },
};

/** Returns the attributes that the step sets for each of these runs, or why it can't. */
export const changesFor = async (
  context: StepContext,
  step: StepOf<"update">,
  participants: Participant[],
): Promise<(Change | StepResult)[]> =>
  (await valuesFor(context, step.attributes ?? {}, participants)).map((one) =>
    "failure" in one ? one.failure : readChange(one.value, context.workspace.sender_defaults.country),
  );

interface Change {
  attributes: ReturnType<typeof readAttributes>;
}

/** Reads the attributes for one person; a wrong value is that person's failure. */
function readChange(
  attributes: Record<string, unknown>,
  country: Parameters<typeof readAttributes>[1],
): Change | StepResult {
  try {
    return { attributes: readAttributes(attributes, country) };
  } catch (error) {
    return failureOf(error);
  }
}

export const list: StepWork<StepOf<"list">> = {
  act: ({ tx, workspace, time }, step, participants) =>
    forAll(participants, async () => {
      const personKeys = keysOf(participants);
      if (step.add !== undefined)
        await putOnList(tx, workspace.id, { id: decodeId("aud", step.add) ?? "", personKeys, now: time.now });
      if (step.remove !== undefined)
        await takeOffList(tx, workspace.id, decodeId("aud", step.remove) ?? "", personKeys);
      return participants.map(() => ({}));
    }),
};
