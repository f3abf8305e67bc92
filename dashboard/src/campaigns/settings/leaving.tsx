import { Stack, Switch } from "@mantine/core";
import type { PropertyFilter } from "@tidings/contract/audience/audiences";
import { useTexts } from "../../platform/language/texts.ts";
import { Section } from "../../platform/look/parts.tsx";
import type { DraftEdit } from "../editor/use-draft.ts";
import { EventField } from "../inspector/fields/event-field.tsx";
import { SpanField } from "../inspector/fields/span-field.tsx";
import { WhereField } from "../inspector/fields/where-field.tsx";
import { withFields } from "../inspector/form.ts";
import { JourneyFilter } from "../inspector/forms/branch.tsx";
import { triggerTexts as texts } from "../inspector/trigger-texts.ts";

interface Props {
  draft: DraftEdit;
  errorOf: (pointer: string) => string | undefined;
}
type Where = PropertyFilter[] & Record<string, unknown>[];

/** What ends the run of a person before the last step. */
export function Leaving({ draft, errorOf }: Props) {
  const t = useTexts(texts);
  const { values, off } = draft;
  const { cancel_on: cancel, exit_when: exit } = values;
  return (
    <Section title={t("leaving")}>
      <Stack gap="md">
        <Switch
          label={t("cancelOn")}
          disabled={off}
          checked={cancel !== null}
          onChange={(event) => draft.change({ cancel_on: event.currentTarget.checked ? { event: "" } : null })}
        />
        {cancel && (
          <>
            <EventField
              label={t("event")}
              value={cancel.event}
              off={off}
              error={errorOf("cancel_on/event")}
              onChange={(event) => draft.change({ cancel_on: { ...cancel, event } }, "cancel_on")}
            />
            <WhereField
              event={cancel.event}
              value={cancel.where}
              off={off}
              errorOf={(pointer) => errorOf(`cancel_on/where${pointer}`)}
              onChange={(where) =>
                draft.change({ cancel_on: withFields(cancel, { where: where as Where }) }, "cancel_on")
              }
            />
          </>
        )}
        <Switch
          label={t("exitWhen")}
          disabled={off}
          checked={exit !== null}
          onChange={(event) => draft.change({ exit_when: event.currentTarget.checked ? { all: [] } : null })}
        />
        {exit && (
          <JourneyFilter
            label={t("exitWhen")}
            description={t("exitWhenHint")}
            value={exit}
            draft={values}
            off={off}
            errorOf={(pointer) => errorOf(`exit_when${pointer}`)}
            onChange={(filter) => draft.change({ exit_when: filter }, "exit_when")}
          />
        )}
      </Stack>
    </Section>
  );
}

/** What the campaign is for: who does it is counted, and may leave. */
export function Goal({ draft, errorOf }: Props) {
  const t = useTexts(texts);
  const { values, off } = draft;
  const { goal } = values;
  return (
    <Section title={t("goal")}>
      <Stack gap="md">
        <Switch
          label={t("hasGoal")}
          disabled={off}
          checked={goal !== null}
          onChange={(event) =>
            draft.change({
              goal: event.currentTarget.checked ? { event: "", within: { amount: 7, unit: "days" } } : null,
            })
          }
        />
        {goal && (
          <>
            <EventField
              label={t("event")}
              value={goal.event}
              off={off}
              error={errorOf("goal/event")}
              onChange={(event) => draft.change({ goal: { ...goal, event } }, "goal")}
            />
            <WhereField
              event={goal.event}
              value={goal.where}
              off={off}
              errorOf={(pointer) => errorOf(`goal/where${pointer}`)}
              onChange={(where) => draft.change({ goal: withFields(goal, { where: where as Where }) }, "goal")}
            />
            <SpanField
              label={t("goalWithin")}
              value={goal.within}
              off={off}
              error={errorOf("goal/within")}
              onChange={(within) => within && draft.change({ goal: { ...goal, within } }, "goal within")}
            />
            <Switch
              label={t("goalExit")}
              disabled={off}
              checked={goal.exit ?? false}
              onChange={(event) => draft.change({ goal: { ...goal, exit: event.currentTarget.checked } })}
            />
          </>
        )}
      </Stack>
    </Section>
  );
}
