import type { StepOf } from "@tidings/contract/campaigns/steps";
import { putOnList, takeOffList } from "../../../audiences/index.ts";
import { attested, findPeopleByKeys, identifyPeople, readAttributes } from "../../../people/index.ts";
import { decodeId } from "../../../platform/ids.ts";
import { forAll, type StepWork, type Walk } from "./batch.ts";

/** Sets attributes as identify does, with the word of a secret key: the author of the campaign has one. */
export const update: StepWork<StepOf<"update">> = {
  act: ({ tx, workspace, time }, step, walks) =>
    forAll(walks, async () => {
      const { country } = workspace.sender_defaults;
      const change = readAttributes(step.attributes ?? {}, country);
      const identities = walks.map(({ person: { person_id: personId } }) => ({
        workspaceId: workspace.id,
        personId,
        change: attested(change, personId, { standing: "verified" }, country),
      }));
      await identifyPeople(tx, identities, time.now);
      const changed = await findPeopleByKeys(tx, keysOf(walks));
      for (const walk of walks) walk.person = changed.get(walk.person.person_key) ?? walk.person;
      return walks.map(() => ({}));
    }),
};

const keysOf = (walks: Walk[]): string[] => [...new Set(walks.map(({ person }) => person.person_key))];

export const list: StepWork<StepOf<"list">> = {
  act: ({ tx, workspace, time }, step, walks) =>
    forAll(walks, async () => {
      const personKeys = keysOf(walks);
      if (step.add !== undefined)
        await putOnList(tx, workspace.id, { id: decodeId("aud", step.add) ?? "", personKeys, now: time.now });
      if (step.remove !== undefined)
        await takeOffList(tx, workspace.id, decodeId("aud", step.remove) ?? "", personKeys);
      return walks.map(() => ({}));
    }),
};
