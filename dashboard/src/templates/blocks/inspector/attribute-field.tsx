import { NativeSelect, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { ImageField } from "../../../media/image-field.tsx";
import { useTexts } from "../../../platform/language/texts.ts";
import css from "../blocks.module.css";
import { fieldTexts } from "../texts.ts";
import type { Field } from "./fields.ts";

interface AttributeFieldProps {
  field: Field;
  /** What the element itself says; empty where it says nothing. */
  own: string;
  /** What it is where the element says nothing. */
  otherwise: string | undefined;
  readOnly: boolean;
  onChange: (value: string) => void;
}

/** An attribute: empty means as the email has it otherwise, which it shows. Liquid may stand in each. */
export function AttributeField({ field, own, otherwise, readOnly, onChange }: AttributeFieldProps) {
  const t = useTexts(fieldTexts);
  const { label, hint, is, choices = [] } = field;
  if (is === "choice" && (own === "" || choices.includes(own as never))) {
    const known = choices.includes(otherwise as never);
    const none = `${t("asEmail")}${known ? ` (${t(otherwise as keyof typeof fieldTexts)})` : ""}`;
    return (
      <NativeSelect
        label={t(label)}
        value={own}
        disabled={readOnly}
        onChange={(event) => onChange(event.currentTarget.value)}
        data={[{ value: "", label: none }, ...choices.map((value) => ({ value, label: t(value) }))]}
      />
    );
  }
  if (is === "image") return <ImageField label={t(label)} value={own} disabled={readOnly} onChange={onChange} />;
  if (is === "size") return <SizeField label={t(label)} {...{ own, otherwise, readOnly, onChange }} />;
  return (
    <TextInput
      label={t(label)}
      description={hint && t(hint)}
      value={own}
      placeholder={otherwise ?? ""}
      readOnly={readOnly}
      spellCheck={false}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...(is === "color" && {
        leftSection: <Swatch value={own || otherwise} name={t(label)} readOnly={readOnly} onChange={onChange} />,
        leftSectionPointerEvents: "all",
      })}
    />
  );
}

const asHex = (value: string | undefined): string => {
  const short = /^#([\da-f])([\da-f])([\da-f])$/i.exec(value ?? "");
  if (short)
    return `#${short
      .slice(1)
      .map((digit) => digit + digit)
      .join("")}`;
  return /^#[\da-f]{6}$/i.test(value ?? "") ? (value as string) : "#ffffff";
};

interface SwatchProps {
  value: string | undefined;
  name: string;
  readOnly: boolean;
  onChange: (value: string) => void;
}

const Swatch = ({ value, name, readOnly, onChange }: SwatchProps) => {
  const t = useTexts(fieldTexts);
  return (
    <input
      type="color"
      className={css.swatch}
      aria-label={t("pick", { what: name })}
      value={asHex(value)}
      disabled={readOnly}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
};

const PIXELS = "px";

type SizeProps = Pick<AttributeFieldProps, "own" | "otherwise" | "readOnly" | "onChange"> & { label: string };

const shortOf = (value: string): string => value.replace(/^(\d+(?:\.\d+)?)px$/, "$1");

/** A length: a number alone is in pixels. */
function SizeField({ label, own, otherwise, readOnly, onChange }: SizeProps) {
  const [typed, setTyped] = useState(shortOf(own));
  useEffect(() => setTyped(shortOf(own)), [own]);
  const inPixels = /^\d*\.?\d*$/.test(typed) && (typed !== "" || /px$/.test(otherwise ?? "px"));
  return (
    <TextInput
      label={label}
      value={typed}
      placeholder={shortOf(otherwise ?? "")}
      readOnly={readOnly}
      spellCheck={false}
      rightSection={inPixels ? <span className="quiet">{PIXELS}</span> : null}
      onChange={(event) => {
        const { value } = event.currentTarget;
        setTyped(value);
        onChange(/^\d+(?:\.\d+)?$/.test(value) ? `${value}px` : value);
      }}
    />
  );
}
