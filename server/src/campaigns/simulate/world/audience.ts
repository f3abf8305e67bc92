import { evaluate } from "../../../audiences/index.ts";
import { audienceOf } from "../../rules/touches.ts";
import { enterWorld } from "./react.ts";
import { personIn, type World } from "./world.ts";

/** Returns whether a person is in the audience of the trigger now. False for other triggers. */
export function isInAudience(world: World, personKey: string): boolean {
  const filter = audienceOf(world.published.definition);
  const { facts } = personIn(world, personKey);
  return filter !== undefined && evaluate(filter, facts, { ...world.filters, now: world.time.now }).pass;
}

/** Lets a person in who has come into the audience of the trigger. */
export function checkAudience(world: World, personKey: string): void {
  const person = personIn(world, personKey);
  const was = person.isMember;
  person.isMember = isInAudience(world, personKey);
  if (person.isMember && !was) enterWorld(world, personKey, { data: {} });
}
