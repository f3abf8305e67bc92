import { BehaviourShape, type StepFilter } from "@tidings/contract/campaigns/filters";
import { readCompared, readFilter } from "../../audiences/index.ts";
import { badField, checkShape } from "../../platform/http/index.ts";

/** The limits are those of a filter of audiences. */
const MOST_CONDITIONS = 200;
const MOST_DEPTH = 32;

const readBehaviour = checkShape(BehaviourShape);

/**
 * Validates a filter of a campaign: a filter of audiences with two more conditions, on the data that started the run and on the outcome
 * of an earlier step's message. @throws Problem invalid_request with a pointer to the condition that is wrong
 */
export function readStepFilter(value: unknown, pointer: string): StepFilter {
  let conditions = 0;

  function read(node: unknown, at: string, depth: number): StepFilter {
    if (depth === MOST_DEPTH) throw badField(at, `is nested deeper than ${MOST_DEPTH} levels`);
    const fields = isObject(node) ? node : {};
    const [name = "", ...more] = Object.keys(fields);
    if (more.length === 0 && name === "not") return { not: read(fields.not, `${at}/not`, depth + 1) };
    if (more.length === 0 && name === "all" && Array.isArray(fields.all))
      return { all: fields.all.map((one, i) => read(one, `${at}/all/${i}`, depth + 1)) };
    if (more.length === 0 && name === "any" && Array.isArray(fields.any) && fields.any.length > 0)
      return { any: fields.any.map((one, i) => read(one, `${at}/any/${i}`, depth + 1)) };
    if (++conditions > MOST_CONDITIONS)
      throw badField(at, `is one condition too many: a filter has at most ${MOST_CONDITIONS}`);
    if ("trigger" in fields) return readCompared("trigger", fields, at);
    if ("step" in fields) return readBehaviour(fields, at);
    return readFilter(node, at) as StepFilter;
  }

  return read(value, pointer, 0);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the conditions of a filter, without `all`, `any` and `not`. */
export function conditionsOf(
  filter: StepFilter,
): Exclude<StepFilter, { all: unknown } | { any: unknown } | { not: unknown }>[] {
  if ("all" in filter) return filter.all.flatMap(conditionsOf);
  if ("any" in filter) return filter.any.flatMap(conditionsOf);
  if ("not" in filter) return conditionsOf(filter.not);
  return [filter];
}
