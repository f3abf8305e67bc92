import { Checkbox } from "@mantine/core";
import { useTexts } from "../platform/language/texts.ts";
import { texts } from "./texts.ts";
import { type Family, families, typesOf } from "./webhook.ts";
import css from "./webhooks.module.css";

interface EventTypesProps {
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** The types of events, by family. `email.*` stands for all of a family, also those of later versions. */
export function EventTypes({ chosen, onChange }: EventTypesProps) {
  const t = useTexts(texts);
  const toggle = (family: Family, type: string) => {
    const others = chosen.filter((one) => one !== type);
    if (others.length < chosen.length) return onChange(others);
    // The whole family takes the place of its types.
    if (type.endsWith(".*")) return onChange([...chosen.filter((one) => !typesOf(family).includes(one)), type]);
    onChange([...chosen, type]);
  };
  return (
    <div className={css.families}>
      {families.map((family) => {
        const whole = `${family}.*`;
        const all = chosen.includes(whole);
        const types = typesOf(family);
        return (
          <fieldset key={family} className={css.family}>
            <legend>{t(family)}</legend>
            {family !== "webhook" && (
              <Checkbox
                label={t("allOf", { family: t(family) })}
                checked={all}
                onChange={() => toggle(family, whole)}
              />
            )}
            <div className={css.types}>
              {types.map((type) => (
                <Checkbox
                  key={type}
                  label={type}
                  classNames={{ label: css.typeName ?? "" }}
                  disabled={all}
                  checked={all || chosen.includes(type)}
                  onChange={() => toggle(family, type)}
                />
              ))}
            </div>
          </fieldset>
        );
      })}
    </div>
  );
}
