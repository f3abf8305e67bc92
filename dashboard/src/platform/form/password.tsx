import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { type Texts, useTexts } from "../language/texts.ts";

const texts = { show: ["Show what is typed", "Eingabe anzeigen"] } satisfies Texts;

/** A field for a password, which can be shown. */
export function Password(props: PasswordInputProps) {
  const t = useTexts(texts);
  return (
    <PasswordInput
      withAsterisk={false}
      required
      visibilityToggleButtonProps={{ "aria-label": t("show") }}
      aria-invalid={Boolean(props.error)}
      {...props}
    />
  );
}
