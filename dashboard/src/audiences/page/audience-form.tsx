import type { Filter } from "@tidings/contract/audience/audiences";
import { TextInput } from "@mantine/core";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Ask } from "../../platform/ask.tsx";
import type { Read } from "../../platform/call/call.ts";
import { useEdit } from "../../platform/form/edit.ts";
import { differing } from "../../platform/form/merge.ts";
import { SaveBar } from "../../platform/form/save-bar.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { Note, Section } from "../../platform/look/parts.tsx";
import { tell } from "../../platform/states/toasts.tsx";
import type { Audience } from "../audience.ts";
import css from "../audiences.module.css";
import { pointedErrors } from "../builder/errors.ts";
import { FilterBuilder } from "../builder/filter-builder.tsx";
import { useClause } from "../builder/summary.tsx";
import { LiveCount } from "../live-count.tsx";
import { useCount } from "../use-count.ts";
import { texts } from "./texts.ts";
import { UsedBy } from "./used-by.tsx";

interface Values extends Record<string, unknown> {
  name: string;
  filter: Filter | null;
}
const valuesOf = ({ name, filter }: Audience): Values => ({ name, filter });
const typedOf = (values: Values, typed: readonly string[]): Partial<Values> =>
  Object.fromEntries(typed.map((name) => [name, values[name]]));

interface AudienceFormProps {
  version: Read<Audience>;
  /** Told what is typed and not saved yet; undefined while there is nothing. */
  onTyped: (typed: Partial<Values> | undefined) => void;
}

/** The name and the conditions. Other conditions of an audience in use are saved after a question. */
export function AudienceForm({ version, onTyped }: AudienceFormProps) {
  const t = useTexts(texts);
  const { id, filter: saved, used_by: users } = version.body;
  const [asking, setAsking] = useState(false);
  const anyway = useRef(false);
  const form = useEdit<Audience, Values>({
    path: `/audiences/${id}`,
    version,
    valuesOf,
    bodyOf: (values, typed) => ({
      ...typedOf(values, typed),
      ...(anyway.current && typed.includes("filter") && { even_if_used: true }),
    }),
    onSaved: () => tell(t("saved")),
  });
  const { dirty, values } = form;
  useEffect(() => {
    onTyped(dirty ? typedOf(values, differing(valuesOf(version.body), values)) : undefined);
  }, [dirty, values, version, onTyped]);
  const { filter } = values;
  const clause = useClause(filter);
  const counted = useCount(filter);
  const counting = pointedErrors(counted.error, "/filter");
  const isOther = JSON.stringify(filter) !== JSON.stringify(saved);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    anyway.current = false;
    if (!isOther || users.length === 0) return form.onSubmit(event);
    event.preventDefault();
    setAsking(true);
  };
  return (
    <form onSubmit={submit}>
      <TextInput label={t("name")} required withAsterisk={false} maxLength={200} {...form.text("name")} />
      {filter && (
        <Section title={t("filter")}>
          <FilterBuilder
            value={filter}
            onChange={(next) => form.set("filter", next)}
            errorOf={(pointer) => form.errorAt(`/filter${pointer}`) ?? counting(pointer)}
          />
          {isOther && users.length > 0 && <Note tone="warn">{t("usedNote", { count: users.length })}</Note>}
          <div className={css.counted}>
            <LiveCount of={counted} />
          </div>
        </Section>
      )}
      <SaveBar
        form={form}
        labels={{ name: t("name"), filter: t("filter") }}
        say={(name, value) => (name === "filter" && value ? clause(value as Filter) : undefined)}
      />
      {asking && (
        <AskUsed
          users={users}
          onYes={() => {
            anyway.current = true;
            return form.submit();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </form>
  );
}

interface AskUsedProps {
  users: Audience["used_by"];
  onYes: () => Promise<void>;
  onClose: () => void;
}

/** Asks before everything that uses the audience gets its other conditions. */
function AskUsed({ users, ...ways }: AskUsedProps) {
  const t = useTexts(texts);
  return (
    <Ask title={t("usedTitle")} yes={t("usedYes")} {...ways}>
      <p>{t("usedBody")}</p>
      <UsedBy of={users} />
    </Ask>
  );
}
