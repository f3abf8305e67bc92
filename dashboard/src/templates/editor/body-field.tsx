import type { Format } from "@tidings/contract/messages/templates";
import { useMemo } from "react";
import { LiquidField } from "../../content/liquid/liquid-field.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { type Jump, TEMPLATE_SCOPE } from "./scope.ts";
import { texts } from "./texts.ts";
import type { TextFault } from "./use-preview.ts";

const LINES = 24;
/** Names that are there although no catalog has them. */
const OWN = ["content"];

interface BodyFieldProps {
  value: string;
  onChange: (text: string) => void;
  error: string | undefined;
  fault: TextFault | undefined;
  /** How the service names this text. */
  part?: string;
  jump?: Jump | undefined;
  format: Format;
  snippets: readonly string[];
  readOnly: boolean;
}

/** The body of a template, a layout or a snippet as code, with what the service says of it at its line. */
export function BodyField(props: BodyFieldProps) {
  const { value, onChange, error, fault, part = "body", jump, format, snippets, readOnly } = props;
  const t = useTexts(texts);
  const here = fault?.part === part ? fault : undefined;
  const problems = useMemo(
    () => (here?.line === undefined ? [] : [{ line: here.line, message: here.message }]),
    [here?.line, here?.message],
  );
  return (
    <LiquidField
      name="body"
      label={t("body")}
      description={t("bodyHint")}
      value={value}
      onChange={onChange}
      error={error ?? (here && here.line === undefined ? here.message : undefined)}
      lines={LINES}
      language={format}
      scope={TEMPLATE_SCOPE}
      problems={problems}
      jump={jump?.part === "body" ? jump : undefined}
      snippets={snippets}
      own={OWN}
      maxLength={524_288}
      readOnly={readOnly}
    />
  );
}
