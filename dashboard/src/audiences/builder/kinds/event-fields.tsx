import type { Count, EventFilter } from "@tidings/contract/audience/audiences";
import { ActionIcon, Button, NativeSelect } from "@mantine/core";
import { useTexts } from "../../../platform/language/texts.ts";
import { Icon } from "../../../platform/look/icons.tsx";
import css from "../builder.module.css";
import type { ConditionProps } from "../state.ts";
import { bounds } from "../model/conditions.ts";
import { fieldTexts } from "../texts.ts";
import { WhereFields } from "../where.tsx";
import { useEvents } from "../fields/catalog.ts";
import { NameField } from "../fields/name-field.tsx";
import { NumberField } from "../fields/number-field.tsx";
import { WithinField } from "./within-field.tsx";

/** What somebody did: how often, how long ago, and with which properties. */
export function EventFields({ value, onChange, errorOf }: ConditionProps<EventFilter>) {
  const t = useTexts(fieldTexts);
  const known = useEvents(value.event);
  const { where, ...withoutWhere } = value;
  return (
    <>
      <NameField
        label={t("nameEvent")}
        value={value.event}
        onChange={(event) => onChange({ ...value, event })}
        suggestions={known.suggestions}
        unknown={known.sure && !known.isKnown}
        error={errorOf("/event")}
      />
      <NativeSelect
        aria-label={t("did")}
        value={value.op}
        onChange={(event) => onChange({ ...value, op: event.currentTarget.value as EventFilter["op"] })}
        data={(["performed", "not_performed"] as const).map((one) => ({ value: one, label: t(one) }))}
        error={errorOf("/op")}
      />
      <CountFields value={value} onChange={onChange} errorOf={errorOf} />
      <WithinField value={value} onChange={onChange} errorOf={errorOf} />
      <WhereFields
        event={value.event}
        value={where ?? []}
        onChange={(next) => onChange(next.length > 0 ? { ...value, where: next } : withoutWhere)}
        errorOf={(pointer) => errorOf(`/where${pointer}`)}
      />
    </>
  );
}

type Bound = (typeof bounds)[number];

/** How often: all bounds that are given must hold. */
function CountFields({ value, onChange, errorOf }: ConditionProps<EventFilter>) {
  const t = useTexts(fieldTexts);
  const { count, ...withoutCount } = value;
  const given = Object.entries(count ?? {}) as [Bound, number | undefined][];
  const free = bounds.filter((bound) => !given.some(([one]) => one === bound));
  const take = (entries: [Bound, number | undefined][]) =>
    onChange(entries.length > 0 ? { ...value, count: Object.fromEntries(entries) as Count } : withoutCount);
  return (
    <>
      {given.map(([bound, number], i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: another bound is chosen in the same field
        <span className={css.pair} key={i}>
          <NativeSelect
            aria-label={t("times")}
            value={bound}
            onChange={(event) => take(given.with(i, [event.currentTarget.value as Bound, number]))}
            data={bounds
              .filter((one) => one === bound || free.includes(one))
              .map((one) => ({ value: one, label: t(`bound_${one}`) }))}
          />
          <NumberField
            label={t("times")}
            narrow
            value={number}
            onChange={(next) => take(given.with(i, [bound, next]))}
            error={errorOf(`/count/${bound}`) ?? (i === 0 ? errorOf("/count") : undefined)}
          />
          <span className={css.word}>{t("timesUnit")}</span>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={28}
            onClick={() => take(given.toSpliced(i, 1))}
            aria-label={t("removeTimes")}
          >
            <Icon name="close" size={14} />
          </ActionIcon>
        </span>
      ))}
      {free.length > 0 && given.length < 2 && (
        <Button
          className={css.more ?? ""}
          size="compact-sm"
          variant="subtle"
          leftSection={<Icon name="plus" size={12} />}
          onClick={() => take([...given, [free[0] as Bound, given.length === 0 ? 2 : 10]])}
        >
          {t(given.length === 0 ? "addTimes" : "limitTimes")}
        </Button>
      )}
    </>
  );
}
