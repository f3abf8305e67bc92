import type { Member } from "@tidings/contract/members";
import type { ApiKey } from "@tidings/contract/workspaces";
import { Button, NativeSelect } from "@mantine/core";
import type { Static } from "typebox";
import { PersonField } from "../../find-person/person-field.tsx";
import { useList } from "../../platform/call/queries.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import css from "./audit.module.css";
import { resourceTypes, useNames } from "./names.ts";
import { type AuditSearch, type Change, isFiltered, periodNames } from "./search.ts";
import { texts } from "./texts.ts";

interface FilterBarProps {
  search: AuditSearch;
  /** What the log calls a resource or actor, by its id. */
  nameOf: (id: string) => string | undefined;
  onChange: (change: Change) => void;
  onClear: () => void;
}
const actorTypes = ["member", "api_key", "command", "system"] as const;

export function FilterBar({ search, nameOf, onChange, onClear }: FilterBarProps) {
  const t = useTexts(texts);
  const names = useNames();
  const { resource, action } = search;
  const single = resource !== undefined && !resourceTypes.some((type) => type === resource);
  return (
    <search className={css.filters}>
      <WhoFilter actor={search.actor} nameOf={nameOf} onChange={onChange} />
      {single ? (
        <Chip name={nameOf(resource) ?? resource} onClick={() => onChange({ resource: undefined })} />
      ) : (
        <NativeSelect
          aria-label={t("resource")}
          className={css.filter ?? ""}
          data-set={resource !== undefined}
          value={resource ?? ""}
          onChange={(event) => onChange({ resource: event.currentTarget.value || undefined, person_id: undefined })}
          data={[
            { value: "", label: t("anything") },
            ...resourceTypes.map((value) => ({ value, label: names.typeOf(value) })),
          ]}
        />
      )}
      <NativeSelect
        aria-label={t("period")}
        className={css.filter ?? ""}
        data-set={search.period !== undefined}
        value={search.period ?? ""}
        onChange={(event) => onChange({ period: periodNames.find((name) => name === event.currentTarget.value) })}
        data={[{ value: "", label: t("anyTime") }, ...periodNames.map((value) => ({ value, label: t(value) }))]}
      />
      <PersonField
        className={css.filter}
        value={search.person_id ?? ""}
        onChange={(person) => onChange(person ? { person_id: person, resource: undefined } : { person_id: undefined })}
      />
      {action && (
        <Chip
          name={`${names.typeOf(action.split(".")[0] ?? "")}: ${names.verbOf(action)}`}
          onClick={() => onChange({ action: undefined })}
        />
      )}
      {isFiltered(search) && (
        <Button variant="subtle" color="gray" onClick={onClear}>
          {t("clear")}
        </Button>
      )}
    </search>
  );
}

/** A filter that only an entry or a link sets. */
function Chip({ name, onClick }: { name: string; onClick: () => void }) {
  const t = useTexts(texts);
  return (
    <Button
      variant="light"
      rightSection={<Icon name="close" size={12} />}
      aria-label={t("showAll", { name: t("only", { name }) })}
      onClick={onClick}
    >
      {t("only", { name })}
    </Button>
  );
}

interface WhoFilterProps {
  actor: string | undefined;
  nameOf: (id: string) => string | undefined;
  onChange: (change: Change) => void;
}

/** By whom: a kind, one of the members, or one of the keys. */
function WhoFilter({ actor, nameOf, onChange }: WhoFilterProps) {
  const t = useTexts(texts);
  const members = useList<Static<typeof Member>>("/members", { limit: 200 }).rows;
  const keys = useList<Static<typeof ApiKey>>("/api-keys", { limit: 200 }).rows;
  const known = [...actorTypes, ...members.map(({ id }) => id), ...keys.map(({ id }) => id)];
  const gone = actor !== undefined && !known.includes(actor) ? [{ value: actor, label: nameOf(actor) ?? actor }] : [];
  return (
    <NativeSelect
      aria-label={t("actor")}
      className={css.filter ?? ""}
      data-set={actor !== undefined}
      value={actor ?? ""}
      onChange={(event) => onChange({ actor: event.currentTarget.value || undefined })}
      data={[
        { value: "", label: t("anyone") },
        ...gone,
        { group: t("kinds"), items: actorTypes.map((value) => ({ value, label: t(`actor_${value}`) })) },
        {
          group: t("actor_member"),
          items: members.map(({ id, name, email }) => ({ value: id, label: name ?? email })),
        },
        { group: t("actor_api_key"), items: keys.map(({ id, name }) => ({ value: id, label: name })) },
      ]}
    />
  );
}
