import { ActionIcon, Autocomplete, Button, Popover, Tabs } from "@mantine/core";
import type { EditionsInput } from "@tidings/contract/messages/sendings";
import { type KeyboardEvent, useMemo, useState } from "react";
import { Ask } from "../platform/ask.tsx";
import { useLocale } from "../platform/language/format.ts";
import { namesIn, offeredIn } from "../platform/language/languages.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import { localesAt, MOST_LOCALES, type EditionRef, pointerOf, tagOf, withLocale, withoutLocale } from "./editions.ts";
import { Faulty } from "./faulty.tsx";
import css from "./sendings.module.css";
import { texts } from "./texts.ts";

interface LocalesProps {
  value: EditionsInput;
  onChange: (value: EditionsInput) => void;
  errorOf: (pointer: string) => string | undefined;
  open: EditionRef;
  onOpen: (locale: string | undefined) => void;
  off: boolean;
}

/** Stands for the default content. No language tag has this text. */
const DEFAULT = "default";

/** Lists the languages in which a content is written. A member opens one, adds one or removes one. */
export function Locales({ value, onChange, errorOf, open, onOpen, off }: LocalesProps) {
  const t = useTexts(texts);
  const nameOf = namesIn(useLocale());
  const [removing, setRemoving] = useState<string>();
  const { variant, locale } = open;
  const tags = localesAt(value, variant);
  return (
    <div className={css.bar}>
      {tags.length > 0 && (
        <Tabs value={locale ?? DEFAULT} onChange={(tag) => onOpen(tag === DEFAULT || tag === null ? undefined : tag)}>
          <Tabs.List aria-label={t("languages")}>
            <Tabs.Tab value={DEFAULT}>{t("default")}</Tabs.Tab>
            {tags.map((tag) => (
              <Tabs.Tab key={tag} value={tag}>
                {nameOf(tag)}
                {errorOf(pointerOf({ variant, locale: tag })) && <Faulty />}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs>
      )}
      {locale !== undefined && (
        <ActionIcon
          variant="subtle"
          color="red"
          size={28}
          disabled={off}
          aria-label={t("removeLanguage", { name: nameOf(locale) })}
          title={t("removeLanguage", { name: nameOf(locale) })}
          onClick={() => setRemoving(locale)}
        >
          <Icon name="close" size={14} />
        </ActionIcon>
      )}
      <AddLocale
        taken={tags}
        off={off || tags.length >= MOST_LOCALES}
        onAdd={(tag) => {
          onChange(withLocale(value, variant, tag));
          onOpen(tag);
        }}
      />
      {removing !== undefined && (
        <Ask
          title={`${t("removeLanguage", { name: nameOf(removing) })}?`}
          yes={t("remove")}
          bad
          onClose={() => setRemoving(undefined)}
          onYes={async () => {
            onOpen(undefined);
            onChange(withoutLocale(value, variant, removing));
          }}
        >
          <p>{t("removeLanguageSure")}</p>
        </Ask>
      )}
    </div>
  );
}

/** Adds a language: a member picks it by its name, or types its tag. */
function AddLocale({ taken, off, onAdd }: { taken: readonly string[]; off: boolean; onAdd: (tag: string) => void }) {
  const t = useTexts(texts);
  const locale = useLocale();
  const [opened, setOpened] = useState(false);
  const [typed, setTyped] = useState("");
  const [wrong, setWrong] = useState(false);
  const offered = useMemo(
    () => offeredIn(locale).map(({ tag, name }) => ({ tag, label: `${name} (${tag})` })),
    [locale],
  );
  const add = (text: string) => {
    const tag = tagOf(offered.find(({ label }) => label === text)?.tag ?? text);
    setWrong(!tag);
    if (!tag) return;
    setOpened(false);
    setTyped("");
    if (!taken.includes(tag)) onAdd(tag);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    // Enter must not submit the form of the page around it.
    event.preventDefault();
    add(typed);
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" width={320} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button
          variant="subtle"
          size="xs"
          disabled={off}
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => setOpened(!opened)}
        >
          {t("addLanguage")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <div className={css.addLanguage}>
          <Autocomplete
            label={t("language")}
            description={t("languageHint")}
            data-autofocus
            data={offered.filter(({ tag }) => !taken.includes(tag)).map(({ label }) => label)}
            limit={6}
            maxLength={120}
            comboboxProps={{ withinPortal: false }}
            value={typed}
            onChange={(text) => {
              setTyped(text);
              setWrong(false);
            }}
            onKeyDown={onKeyDown}
            error={wrong && t("noLanguage")}
          />
          <Button size="xs" onClick={() => add(typed)}>
            {t("add")}
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
