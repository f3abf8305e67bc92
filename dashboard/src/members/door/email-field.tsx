import { TextInput, type TextInputProps } from "@mantine/core";
import { useTexts } from "../../platform/language/texts.ts";
import { texts } from "../texts.ts";

/** The address with which a member signs in. */
export function EmailField(props: TextInputProps) {
  const t = useTexts(texts);
  return <TextInput label={t("email")} type="email" autoComplete="username" required withAsterisk={false} {...props} />;
}
