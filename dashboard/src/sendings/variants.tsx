import { Button, NumberInput, Tabs, TextInput } from "@mantine/core";
import type { EditionsInput } from "@tidings/contract/messages/sendings";
import { useState } from "react";
import { Ask } from "../platform/ask.tsx";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import { MOST_VARIANTS, renamed, sharesOf, withoutVariant, withVariant } from "./editions.ts";
import { Faulty } from "./faulty.tsx";
import css from "./sendings.module.css";
import { texts } from "./texts.ts";

interface VariantsProps {
  value: EditionsInput;
  onChange: (value: EditionsInput) => void;
  errorOf: (pointer: string) => string | undefined;
  /** The number of the open one. */
  open: number;
  onOpen: (variant: number) => void;
  off: boolean;
}

/** The variants of an A/B split: which is open, its name, and how many people get it. */
export function Variants({ value, onChange, errorOf, open, onOpen, off }: VariantsProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const variants = value.variants ?? [];
  const shares = sharesOf(variants);
  const add = () => {
    onChange(withVariant(value));
    onOpen(variants.length);
  };
  if (variants.length === 0)
    return (
      <div className={css.splitOffer}>
        <Button
          variant="default"
          size="xs"
          disabled={off}
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => {
            onChange(withVariant(value));
            onOpen(1);
          }}
        >
          {t("split")}
        </Button>
        <span className="quiet">{t("splitHint")}</span>
      </div>
    );
  return (
    <div className={css.variants}>
      <div className={css.bar}>
        <Tabs variant="pills" value={String(open)} onChange={(at) => onOpen(Number(at))} className={css.tabs ?? ""}>
          <Tabs.List aria-label={t("variants")}>
            {variants.map(({ name }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names change while they are typed
              <Tabs.Tab key={i} value={String(i)} className={css.tab ?? ""}>
                {t("variant", { name })} <span className={css.share}>{format.percent(shares[i] ?? 0)}</span>
                {errorOf(`variants/${i}`) && <Faulty />}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs>
        <Button
          variant="subtle"
          size="xs"
          disabled={off || variants.length >= MOST_VARIANTS}
          leftSection={<Icon name="plus" size={14} />}
          onClick={add}
        >
          {t("addVariant")}
        </Button>
      </div>
      <OneVariant value={value} at={open} onChange={onChange} onOpen={onOpen} errorOf={errorOf} off={off} />
    </div>
  );
}

interface OneVariantProps extends Omit<VariantsProps, "open"> {
  at: number;
}

function OneVariant({ value, at, onChange, onOpen, errorOf, off }: OneVariantProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const [removing, setRemoving] = useState(false);
  const variants = value.variants ?? [];
  const variant = variants[at];
  if (!variant) return null;
  const { name, weight } = variant;
  return (
    <div className={css.row}>
      <TextInput
        label={t("variantName")}
        name={`variants/${at}/name`}
        maxLength={50}
        disabled={off}
        value={name}
        onChange={(event) => onChange(renamed(value, at, { name: event.currentTarget.value }))}
        error={errorOf(`variants/${at}/name`)}
      />
      <NumberInput
        label={t("weight")}
        description={t("weightHint", { share: format.percent(sharesOf(variants)[at] ?? 0) })}
        inputWrapperOrder={["label", "input", "description", "error"]}
        name={`variants/${at}/weight`}
        min={1}
        max={1_000_000}
        allowDecimal={false}
        disabled={off}
        value={weight}
        onChange={(next) => typeof next === "number" && onChange(renamed(value, at, { weight: next }))}
        error={errorOf(`variants/${at}/weight`)}
      />
      <Button
        variant="subtle"
        color="red"
        size="xs"
        className={css.besideFields ?? ""}
        disabled={off}
        onClick={() => setRemoving(true)}
      >
        {t("removeVariant", { name })} …
      </Button>
      {removing && (
        <AskRemoval
          name={name}
          left={variants.length === 2 ? variants[1 - at]?.name : undefined}
          onClose={() => setRemoving(false)}
          onYes={async () => {
            onOpen(0);
            onChange(withoutVariant(value, at));
          }}
        />
      )}
    </div>
  );
}

interface AskRemovalProps {
  name: string;
  /** The variant that everybody gets afterwards, where it is the only one left. */
  left: string | undefined;
  onYes: () => Promise<void>;
  onClose: () => void;
}

function AskRemoval({ name, left, ...ways }: AskRemovalProps) {
  const t = useTexts(texts);
  return (
    <Ask title={`${t("removeVariant", { name })}?`} yes={t("remove")} bad {...ways}>
      <p>
        {t("removeVariantSure")} {left !== undefined && t("endsSplit", { name: left })}
      </p>
    </Ask>
  );
}
