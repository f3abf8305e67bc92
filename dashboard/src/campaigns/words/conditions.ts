import type { StepFilter } from "@tidings/contract/campaigns/filters";
import type { Span } from "@tidings/contract/campaigns/steps";
import type { Say } from "../../platform/language/texts.ts";
import type { texts } from "./texts.ts";

/** What the words need: the texts in the reader's language, and the names of what conditions refer to by id. */
export interface Saying {
  t: Say<typeof texts>;
  nameOf: (id: string) => string | undefined;
}

type Key = keyof typeof texts;
/** A condition as it is stored: each kind has fields of its own. */
type Condition = Record<string, unknown>;

export const spanOf = ({ amount, unit }: Span, { t }: Saying): string => t(unit, { count: amount });

/** Returns a filter in words, as short as a label. */
export function conditionsOf(filter: StepFilter | Condition, saying: Saying): string {
  const { t } = saying;
  const one = filter as Condition;
  if (Array.isArray(one.all)) return joined(one.all, { by: t("and"), none: t("everybody") }, saying);
  if (Array.isArray(one.any)) return joined(one.any, { by: t("or"), none: t("nobody") }, saying);
  if (one.not) return t("not", { condition: conditionsOf(one.not as Condition, saying) });
  if (typeof one.trigger === "string") return compared(`trigger.${one.trigger}`, one, saying);
  if (typeof one.step === "string")
    return t("stepMessage", { step: one.step, what: t(`behaviour_${String(one.op)}` as Key) });
  if (typeof one.attribute === "string") return compared(one.attribute, one, saying);
  if (typeof one.audience === "string")
    return t("inAudience", { audience: saying.nameOf(one.audience) ?? one.audience });
  if (typeof one.subscribed === "boolean") return t(one.subscribed ? "subscribed" : "unsubscribed");
  return performed(one, saying);
}

function performed(one: Condition, saying: Saying): string {
  const { t } = saying;
  const within = one.within ? t("within", { span: spanOf(one.within as Span, saying) }) : "";
  const not = one.op === "not_performed";
  if (typeof one.message === "string") {
    const key = `behaviour_${one.message}`;
    return t(not ? "noMessage" : "aMessage", { what: t(key as Key), within });
  }
  return t(not ? "didNot" : "did", {
    event: String(one.event ?? t("nothing")),
    where: whereOf(one.where as Condition[] | undefined, saying),
    within,
  });
}

function joined(filters: Condition[], { by, none }: { by: string; none: string }, saying: Saying): string {
  const [only] = filters;
  if (!only) return none;
  if (filters.length === 1) return conditionsOf(only, saying);
  return filters
    .map((one) => ("all" in one || "any" in one ? `(${conditionsOf(one, saying)})` : conditionsOf(one, saying)))
    .join(by);
}

/** Returns the conditions on the properties of an event in words, with the word before them; "" where there are none. */
export const whereOf = (filters: Condition[] | undefined, saying: Saying): string =>
  filters && filters.length > 0
    ? saying.t("with", {
        conditions: filters.map((one) => compared(String(one.property), one, saying)).join(saying.t("and")),
      })
    : "";

/** So many values of a list are named. */
const NAMED = 3;

function compared(name: string, { op, value }: Condition, saying: Saying): string {
  const { t } = saying;
  if (op === "exists") return t(value === false ? "op_missing" : "op_exists", { name });
  if (op === "within_last") return t("op_within_last", { name, value: value ? spanOf(value as Span, saying) : "…" });
  const values = Array.isArray(value) ? value : [value];
  const shown = values.slice(0, NAMED).map((one) => (one === undefined ? "…" : String(one)));
  return t(`op_${String(op)}` as Key, { name, value: `${shown.join(", ")}${values.length > NAMED ? ", …" : ""}` });
}
