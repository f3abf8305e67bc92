import { stepsIn } from "@tidings/contract/campaigns/journey";
import type { SimulateInput, StepHappening } from "@tidings/contract/campaigns/simulate";
import { instantIn, localIn } from "../../../inapp/zoned.ts";
import type { Draft } from "../../campaign-shape.ts";

/** A name with a value, as they are typed. */
export interface Pair {
  name: string;
  value: string;
}
/** Something that happens while the clock goes on: an event of the person, or the outcome of a step's message. */
export interface HappeningValues {
  /** Tells rows apart while they are typed. */
  key: number;
  /** A local time, as a field writes it. */
  at: string;
  kind: "event" | "outcome";
  event: string;
  properties: Pair[];
  step: string;
  happened: StepHappening;
}
/** The answer that the call of a webhook step gets. */
export interface ResponseValues {
  step: string;
  status: string;
  body: string;
}
export interface SimulationValues {
  who: "made_up" | "real";
  person: string;
  attributes: Pair[];
  start: string;
  happenings: HappeningValues[];
  data: Pair[];
  responses: ResponseValues[];
}

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns the value that a text means: a number, yes or no, or JSON such as a list; anything else is the text itself. */
export function meantBy(text: string): unknown {
  const trimmed = text.trim();
  if (/^(?:-?\d+(?:\.\d+)?|true|false|null|[[{"].*)$/s.test(trimmed))
    try {
      return JSON.parse(trimmed);
    } catch {
      return text;
    }
  return text;
}

const objectOfPairs = (pairs: Pair[]): Record<string, unknown> =>
  Object.fromEntries(
    pairs.filter(({ name }) => name.trim() !== "").map(({ name, value }) => [name.trim(), meantBy(value)]),
  );

/** Returns the object that a text is as JSON; an empty one for no text, undefined for a text that is none. */
export function objectOf(text: string): Record<string, unknown> | undefined {
  if (text.trim() === "") return {};
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read !== "object" || read === null || Array.isArray(read)) return undefined;
    return read as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** Returns what is simulated at first: somebody made up who does what the trigger waits for. */
export function firstValues({ trigger }: Pick<Draft, "trigger">, now: number): SimulationValues {
  const start = localIn(ownZone(), new Date(now).toISOString());
  const wanted = trigger.type === "event" ? (trigger.where ?? []) : [];
  const properties = wanted
    .filter(({ property, value }) => typeof property === "string" && value !== undefined && typeof value !== "object")
    .map(({ property, value }) => ({ name: String(property), value: String(value) }));
  return {
    who: "made_up",
    person: "",
    attributes: [
      { name: "email", value: "ada@example.com" },
      { name: "first_name", value: "Ada" },
    ],
    start,
    happenings:
      trigger.type === "event"
        ? [{ key: 1, at: start, kind: "event", event: trigger.name, properties, step: "", happened: "seen" }]
        : [],
    data: [],
    responses: [],
  };
}

/** Returns the call's body. Rows without a name, an event or a step are left out. */
export function inputOf(values: SimulationValues, { trigger, steps }: Pick<Draft, "trigger" | "steps">): SimulateInput {
  const zone = ownZone();
  const at = (local: string) => instantIn(zone, local);
  const ids = new Set(stepsIn(steps).map(({ id }) => id));
  const events = values.happenings
    .filter(
      ({ at: when, kind, event, step }) => when !== "" && (kind === "event" ? event.trim() !== "" : ids.has(step)),
    )
    .map(({ at: when, kind, event, properties, step, happened }) =>
      kind === "event"
        ? { at: at(when), eventName: event.trim(), properties: objectOfPairs(properties) }
        : { at: at(when), step, happened },
    );
  const responses = values.responses
    .filter(({ step }) => ids.has(step))
    .map(({ step, status, body }) => [
      step,
      { ...(Number(status) > 0 && { status: Number(status) }), ...(body.trim() !== "" && { body: meantBy(body) }) },
    ]);
  const data = objectOfPairs(values.data);
  return {
    ...(values.who === "real" ? { person_id: values.person } : { person: objectOfPairs(values.attributes) }),
    ...(values.start !== "" && { start: at(values.start) }),
    ...(events.length > 0 && { events }),
    ...(responses.length > 0 && { responses: Object.fromEntries(responses) }),
    ...((trigger.type === "api" || Object.keys(data).length > 0) && { data }),
  };
}
