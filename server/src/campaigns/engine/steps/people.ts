import type { StepOf } from "@tidings/contract/campaigns/steps";
import { putOnList, takeOffList } from "../../../audiences/index.ts";
import { attested, findPeopleByKeys, identifyPeople, readAttributes } from "../../../people/index.ts";
import { decodeId } from "../../../platform/ids.ts";
import { forAll, type StepWork, type Participant } from "./batch.ts";

/** Sets attributes as an identify with a secret key does, because the author of the campaign has one. */
export const update: StepWork<StepOf<"update">> = {
  act: ({ tx, workspace, time }, step, participants) =>
    forAll(participants, async () => {
      const { country } = workspace.sender_defaults;
      const change = readAttributes(step.attributes ?? {}, country);
      const identities = participants.map(({ person: { person_id: personId } }) => ({
        workspaceId: workspace.id,
        personId,
        change: attested(change, personId, { standing: "verified" }, country),
      }));
      await identifyPeople(tx, identities, time.now);
      const changed = await findPeopleByKeys(tx, keysOf(participants));
      for (const participant of participants)
        participant.person = changed.get(participant.person.person_key) ?? participant.person;
      return participants.map(() => ({}));
    }),
};

const keysOf = (participants: Participant[]): string[] => [
  ...new Set(participants.map(({ person }) => person.person_key)),
];

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
