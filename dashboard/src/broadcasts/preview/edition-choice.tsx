import { NativeSelect } from "@mantine/core";
import type { TestSend } from "@tidings/contract/messages/sendings";
import { useLocale } from "../../platform/language/format.ts";
import { namesIn } from "../../platform/language/languages.ts";
import { useTexts } from "../../platform/language/texts.ts";
import type { Broadcast } from "../broadcast.ts";
import { texts } from "./texts.ts";

/** Undefined is the person's own; a locale of null is the edition for everybody else. */
export interface ChosenEdition {
  variant?: string | undefined;
  locale?: string | null | undefined;
}

export const editionBody = ({ variant, locale }: ChosenEdition): Omit<TestSend, "person_id"> => ({
  ...(variant !== undefined && { variant }),
  ...(locale !== undefined && { locale }),
});

const tagsOf = ({ locales, variants }: Broadcast): string[] => [
  ...new Set([locales, ...(variants ?? []).map((one) => one.locales)].flatMap((one) => Object.keys(one ?? {}))),
];

/** No tag and no variant has this form. */
const OWN = " own";
const REST = " rest";

interface EditionChoiceProps {
  broadcast: Broadcast;
  value: ChosenEdition;
  onChange: (value: ChosenEdition) => void;
}

/** Which variant and which language is shown: the person's own, or another one. Nothing where there is one edition. */
export function EditionChoice({ broadcast, value, onChange }: EditionChoiceProps) {
  const t = useTexts(texts);
  const nameOf = namesIn(useLocale());
  const { variants } = broadcast;
  const tags = tagsOf(broadcast);
  return (
    <>
      {variants && (
        <NativeSelect
          label={t("variant")}
          value={value.variant ?? OWN}
          onChange={({ currentTarget: { value: name } }) =>
            onChange({ ...value, variant: name === OWN ? undefined : name })
          }
          data={[{ value: OWN, label: t("own") }, ...variants.map(({ name }) => ({ value: name, label: name }))]}
        />
      )}
      {tags.length > 0 && (
        <NativeSelect
          label={t("language")}
          value={value.locale === null ? REST : (value.locale ?? OWN)}
          onChange={({ currentTarget: { value: tag } }) =>
            onChange({ ...value, locale: tag === OWN ? undefined : tag === REST ? null : tag })
          }
          data={[
            { value: OWN, label: t("own") },
            { value: REST, label: t("everybodyElse") },
            ...tags.map((tag) => ({ value: tag, label: nameOf(tag) })),
          ]}
        />
      )}
    </>
  );
}
