import type { Reentry, Trigger } from "@tidings/contract/campaigns/campaigns";
import type { Step, StepOf, StepType } from "@tidings/contract/campaigns/steps";
import { conditionsOf, type Saying, spanOf, whereOf } from "./conditions.ts";
import type { texts } from "./texts.ts";

type Key = keyof typeof texts;
/** A saying that also knows the names of the days of the week. */
export interface JourneySaying extends Saying {
  dayOf: (day: string) => string;
}

const parts = (...all: (string | false | undefined)[]): string => all.filter(Boolean).join(" · ");
const daysOf = (days: readonly string[], { dayOf }: JourneySaying) => days.map(dayOf).join(", ");

/** Returns who enters a campaign, and when. */
export function triggerOf(trigger: Trigger, saying: JourneySaying): string {
  const { t, nameOf } = saying;
  switch (trigger.type) {
    case "event":
      return t("trigger_event", { event: trigger.name || t("nothing"), where: whereOf(trigger.where, saying) });
    case "audience": {
      const entry = trigger.audience
        ? t("trigger_audience_filter", { filter: conditionsOf(trigger.audience, saying) })
        : t("trigger_audience", { audience: nameOf(trigger.audience_id ?? "") ?? t("anAudience") });
      return trigger.existing ? t("trigger_existing", { entry }) : entry;
    }
    case "date": {
      const at = trigger.at ? t("at", { at: trigger.at }) : "";
      const { attribute, offset } = trigger;
      const entry = offset
        ? t("trigger_date_offset", {
            offset: t(offset.direction, { span: spanOf(offset, saying), what: attribute || t("nothing") }),
            at,
          })
        : t("trigger_date", { attribute: attribute || t("nothing"), at });
      return trigger.yearly ? t("trigger_yearly", { entry }) : entry;
    }
    case "recurring":
      return t("trigger_recurring", {
        days: daysOf(trigger.days, saying),
        at: trigger.at,
        audience: nameOf(trigger.audience_id) ?? t("anAudience"),
      });
    case "api":
      return t("trigger_api");
  }
}

export function reentryOf(reentry: Reentry, saying: Saying): string {
  if (typeof reentry === "string") return saying.t(`reentry_${reentry}`);
  return saying.t("reentry_after", { span: spanOf(reentry.after, saying) });
}

/** Returns what a step is, in a word or two. */
export const titleOf = (step: Step, { t }: Saying): string =>
  step.type === "message" && step.channel ? t(`message_${step.channel}`) : t(step.type);

/** Returns what a step does, in a line. "" where nothing is to be said, or nothing is filled in yet. */
export const detailOf = (step: Step, saying: JourneySaying): string =>
  (DETAILS[step.type] as (step: Step, saying: JourneySaying) => string)(step, saying);

const DETAILS: { [T in StepType]: (step: StepOf<T>, saying: JourneySaying) => string } = {
  message: (step, { t, nameOf }) => {
    const { content, message_id: id, variants, locales, escalate = [] } = step;
    const [first] = variants ?? [];
    const { template_id: template, ...said } = (content ?? first?.content ?? {}) as Record<string, string | undefined>;
    const text = said.subject ?? said.title ?? said.body ?? (template && (nameOf(template) ?? t("template")));
    const message = id ?? first?.message_id;
    return parts(
      text ?? (message && (nameOf(message) ?? message)),
      variants ? t("variants", { count: variants.length }) : undefined,
      locales ? t("languages", { count: Object.keys(locales).length }) : undefined,
      escalate.length > 0 &&
        t("escalates", { channels: escalate.map(({ channel }) => t(`message_${channel}`)).join(", ") }),
    );
  },
  wait: (step, saying) => {
    if (step.until === undefined) return step.for ? spanOf(step.for, saying) : "";
    const { offset, until } = step;
    const what = offset ? saying.t(offset.direction ?? "after", { span: spanOf(offset, saying), what: until }) : until;
    return saying.t("until", { what });
  },
  wait_until: ({ event, where, timeout }, saying) =>
    event === undefined && timeout === undefined
      ? ""
      : saying.t("eventAtMost", {
          event: event ?? "…",
          where: whereOf(where, saying),
          span: timeout ? spanOf(timeout, saying) : "…",
        }),
  wait_window: ({ from, to, days }, saying) =>
    from === undefined && to === undefined && days === undefined
      ? ""
      : parts(
          from || to ? saying.t("between", { from: from ?? "00:00", to: to ?? "24:00" }) : saying.t("anyTime"),
          days && daysOf(days, saying),
        ),
  branch: (step, saying) => (step.if ? conditionsOf(step.if, saying) : ""),
  split: ({ arms = [] }) => arms.map(({ name }) => name).join(" · "),
  batch: ({ key, window, max }, saying) =>
    parts(
      window && saying.t("gathered", { span: spanOf(window, saying) }),
      key && saying.t("byKey", { key }),
      max !== undefined && saying.t("most", { count: max }),
    ),
  throttle: ({ key, limit, window, otherwise }, saying) =>
    limit === undefined && window === undefined
      ? ""
      : parts(
          saying.t("paced", { limit: limit ?? "…", span: window ? spanOf(window, saying) : "…" }),
          key && saying.t("byKey", { key }),
          saying.t(otherwise === "wait" ? "othersWait" : "othersExit"),
        ),
  update: ({ attributes = {} }) => Object.keys(attributes).join(", "),
  list: ({ add, remove }, { t, nameOf }) => {
    if (add) return t("addTo", { list: nameOf(add) ?? add });
    return remove ? t("removeFrom", { list: nameOf(remove) ?? remove }) : "";
  },
  webhook: ({ url }) => url ?? "",
  start: ({ campaign_id: id }, { nameOf }) => (id ? (nameOf(id) ?? id) : ""),
  exit: () => "",
};

/** Returns the name of one of a step's ways to continue: by its place among them. */
export function wayOf(step: Step, list: number, { t }: Saying): string {
  if (step.type === "split") {
    const { arms = [] } = step;
    const all = arms.reduce((sum, { weight }) => sum + weight, 0);
    const arm = arms[list];
    return arm ? t("way_arm", { share: Math.round((arm.weight / all) * 100), name: arm.name }) : "";
  }
  const keys: [Key, Key] = step.type === "wait_until" ? ["way_came", "way_late"] : ["way_yes", "way_no"];
  return t(keys[list] as Key);
}
