import { Button, Stack } from "@mantine/core";
import { type Ref, useId } from "react";
import { useTexts } from "../../../platform/language/texts.ts";
import { Disclosure } from "../../../platform/look/disclosure.tsx";
import type { Acts } from "../acts.ts";
import css from "../blocks.module.css";
import type { Block, Email } from "../list/block.ts";
import type { Look } from "../list/looks.ts";
import { withAttribute } from "../mjml/edit.ts";
import { decoded } from "../mjml/entities.ts";
import { attributeOf, sliceOf } from "../mjml/tree.ts";
import { fieldTexts, texts } from "../texts.ts";
import { AttributeField } from "./attribute-field.tsx";
import { BlockActions } from "./block-actions.tsx";
import { CodeField } from "./code-field.tsx";
import { EmailStyle } from "./email-style.tsx";
import { type Field, fieldsOf } from "./fields.ts";
import { TagFields } from "./tags.tsx";
import { WordsField } from "./words-field.tsx";

interface InspectorProps {
  at: Ref<HTMLElement>;
  email: Email;
  looks: Look;
  chosen: Block | undefined;
  acts: Acts;
  readOnly: boolean;
  /** Moves the focus from the inspector to the chosen block on the canvas. */
  onBack: () => void;
}

/** The fields of the chosen block; of the whole email while none is chosen. */
export function Inspector({ at, email, looks, chosen, acts, readOnly, onBack }: InspectorProps) {
  const t = useTexts(texts);
  const title = useId();
  return (
    <section
      ref={at}
      className={css.inspector}
      aria-labelledby={title}
      onKeyDown={(event) => {
        // A menu of the inspector is outside of it in the page, and closes by itself.
        if (event.key !== "Escape" || !chosen || !event.currentTarget.contains(event.target as Node)) return;
        event.preventDefault();
        onBack();
      }}
    >
      <div className={css.inspectorHead}>
        <h3 id={title} className={css.inspectorTitle}>
          {t(chosen?.kind ?? "whole")}
        </h3>
        {chosen && !readOnly && <BlockActions email={email} block={chosen} acts={acts} />}
      </div>
      <Stack gap="sm">
        {chosen ? (
          <BlockFields key={chosen.path} {...{ email, looks, acts, readOnly }} block={chosen} />
        ) : (
          <>
            <p className="quiet">{t("nothingChosen")}</p>
            {email.mjml && <EmailStyle {...{ email, acts, readOnly }} />}
          </>
        )}
        {chosen && (
          <Button variant="default" size="xs" className={css.back ?? ""} onClick={onBack}>
            {t("back")}
          </Button>
        )}
      </Stack>
    </section>
  );
}

interface BlockFieldsProps {
  email: Email;
  looks: Look;
  block: Block;
  acts: Acts;
  readOnly: boolean;
}

function BlockFields({ email, looks, block, acts, readOnly }: BlockFieldsProps) {
  const t = useTexts({ ...texts, more: texts.more, field: fieldTexts.code, hintOfCode: fieldTexts.codeHint });
  const { source } = email;
  const { element, kind, path } = block;
  const write = (text: string) => acts.change([{ from: block.from, to: block.to, text }], `code ${path}`);
  if (block.tags) return <TagFields {...{ source, block, acts, readOnly }} />;
  if (kind === "code" || !element)
    return (
      <CodeField
        label={t("field")}
        description={t("hintOfCode")}
        value={sliceOf(source, block)}
        readOnly={readOnly}
        onChange={write}
      />
    );
  const field = (one: Field) => (
    <AttributeField
      key={one.attribute}
      field={one}
      own={decoded(attributeOf(element, one.attribute)?.raw ?? "")}
      otherwise={attributeOf(element, one.attribute) ? undefined : looks(element, one.attribute)}
      readOnly={readOnly}
      onChange={(value) =>
        acts.change(withAttribute(source, element, one.attribute, value), `${path} ${one.attribute}`)
      }
    />
  );
  const { main, more } = fieldsOf[kind];
  return (
    <>
      {/^(?:text|heading|button)$/.test(kind) && <WordsField {...{ source, element, path, kind, acts, readOnly }} />}
      {main.map(field)}
      {more.length > 0 && (
        <Disclosure title={t("more")}>
          <Stack gap="sm">{more.map(field)}</Stack>
        </Disclosure>
      )}
    </>
  );
}
