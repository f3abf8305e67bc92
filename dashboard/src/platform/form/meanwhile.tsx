import { Button, Group } from "@mantine/core";
import { useFormat } from "../language/format.ts";
import { type Texts, useTexts } from "../language/texts.ts";
import { Note } from "../look/parts.tsx";
import type { Edit } from "./edit.ts";
import css from "./form.module.css";
import type { Values } from "./merge.ts";

const texts = {
  changed: [
    "{who} changed this {time}, while you had it open. Nothing of yours is lost.",
    "{who} hat das {time} geändert, während Sie es offen hatten. Von Ihnen ist nichts verloren.",
  ],
  somebody: ["Somebody", "Jemand"],
  justNow: ["just now", "gerade eben"],
  field: ["Field", "Feld"],
  theirs: ["Theirs", "Deren Stand"],
  mine: ["Yours", "Ihr Stand"],
  keepMine: ["Save mine over it", "Meines darüber speichern"],
  takeTheirs: ["Take theirs", "Deren Stand übernehmen"],
  hint: [
    "Fields that you did not touch stay as they are now.",
    "Felder, die Sie nicht angefasst haben, bleiben, wie sie jetzt sind.",
  ],
  untouched: ["not touched", "nicht angefasst"],
  on: ["on", "an"],
  off: ["off", "aus"],
  nothing: ["nothing", "nichts"],
} satisfies Texts;

interface MeanwhileProps<V extends Values> {
  form: Edit<V>;
  /** How the page names the fields. */
  labels: Partial<Record<keyof V & string, string>>;
  /** A value in words, where it is more than a text, a number or a list. */
  say?: ((name: keyof V & string, value: unknown) => string | undefined) | undefined;
}

/** Says who changed what this form shows, and what; one version or the other is chosen. */
export function MeanwhileNote<V extends Values>({ form, labels, say }: MeanwhileProps<V>) {
  const t = useTexts(texts);
  const format = useFormat();
  const { meanwhile, values } = form;
  if (!meanwhile) return null;
  const plain = (value: unknown): string => {
    if (typeof value === "boolean") return t(value ? "on" : "off");
    if (value === "" || value === null || value === undefined) return t("nothing");
    if (Array.isArray(value)) return value.length > 0 ? value.map(String).join(", ") : t("nothing");
    return typeof value === "object" ? JSON.stringify(value) : String(value);
  };
  const words = (name: keyof V & string, value: unknown) => say?.(name, value) ?? plain(value);
  return (
    <Note tone="warn" role="alert">
      <p className={css.who}>
        {t("changed", {
          who: meanwhile.by?.name || t("somebody"),
          time: meanwhile.at ? format.ago(meanwhile.at) : t("justNow"),
        })}
      </p>
      <div className={css.scrolls}>
        <table className={css.compared}>
          <thead>
            <tr>
              <th scope="col">{t("field")}</th>
              <th scope="col">{t("theirs")}</th>
              <th scope="col">{t("mine")}</th>
            </tr>
          </thead>
          <tbody>
            {meanwhile.fields.map((name) => (
              <tr key={name}>
                <th scope="row">{labels[name] ?? name}</th>
                <td>{words(name, meanwhile.theirs[name])}</td>
                <td>{meanwhile.typed.includes(name) ? words(name, values[name]) : t("untouched")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p>{t("hint")}</p>
      <Group gap="xs">
        <Button size="xs" variant="default" type="button" onClick={form.takeTheirs}>
          {t("takeTheirs")}
        </Button>
        <Button size="xs" type="button" loading={form.busy} onClick={form.keepMine}>
          {t("keepMine")}
        </Button>
      </Group>
    </Note>
  );
}
