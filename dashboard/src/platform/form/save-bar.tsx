import { Button } from "@mantine/core";
import { type Texts, useTexts } from "../language/texts.ts";
import type { Edit } from "./edit.ts";
import css from "./form.module.css";
import { MeanwhileNote } from "./meanwhile.tsx";
import type { Values } from "./merge.ts";
import { FormProblem, UnsavedGuard } from "./parts.tsx";

const texts = {
  save: ["Save", "Speichern"],
  discard: ["Discard", "Verwerfen"],
  unsaved: ["Unsaved changes", "Nicht gespeicherte Änderungen"],
} satisfies Texts;

interface SaveBarProps<V extends Values> {
  form: Edit<V>;
  labels: Partial<Record<keyof V & string, string>>;
  say?: (name: keyof V & string, value: unknown) => string | undefined;
}

/** At the end of a form that changes a resource: what is not saved yet, what went wrong, and what somebody else changed meanwhile. */
export function SaveBar<V extends Values>({ form, labels, say }: SaveBarProps<V>) {
  const t = useTexts(texts);
  return (
    <>
      <UnsavedGuard dirty={form.dirty} />
      {form.dirty && (
        <div className={css.bar}>
          {form.meanwhile ? (
            <div className={css.whole}>
              <MeanwhileNote form={form} labels={labels} say={say} />
            </div>
          ) : (
            <>
              <span className={css.barText}>{t("unsaved")}</span>
              <FormProblem problem={form.problem} />
              <Button variant="default" onClick={form.discard}>
                {t("discard")}
              </Button>
              <Button type="submit" loading={form.busy}>
                {t("save")}
              </Button>
            </>
          )}
        </div>
      )}
    </>
  );
}
