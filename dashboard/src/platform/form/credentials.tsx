import { Radio, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { type Texts, useTexts } from "../language/texts.ts";
import css from "./form.module.css";
import type { Form } from "./form.ts";
import type { Values } from "./merge.ts";

const texts = {
  credentials: ["Credentials", "Zugangsdaten"],
  lead: ["Encrypted, and never shown again.", "Verschlüsselt, und nie wieder angezeigt."],
  keep: ["Keep those that are set", "Die gesetzten behalten"],
  replace: ["Replace all of them", "Alle ersetzen"],
} satisfies Texts;

interface CredentialsProps<V extends Values> {
  /** Its value `credentials` is `keep` or `replace`. */
  form: Form<V>;
  /** Whether the resource has some, which may stay. */
  kept: boolean;
  /** The fields of new ones. */
  children: ReactNode;
}

/** The credentials of a resource: those that it has are never shown, and stay unless new ones are given. */
export function Credentials<V extends Values>({ form, kept, children }: CredentialsProps<V>) {
  const t = useTexts(texts);
  const name: keyof V & string = "credentials";
  return (
    <fieldset className={css.secrets}>
      <legend>{t("credentials")}</legend>
      {kept ? (
        <Radio.Group
          name={name}
          description={t("lead")}
          value={String(form.values[name])}
          onChange={(value) => form.set(name, value as V[typeof name])}
          error={form.errorOf(name)}
        >
          <Stack gap={8} mt="xs">
            <Radio value="keep" label={t("keep")} />
            <Radio value="replace" label={t("replace")} />
          </Stack>
        </Radio.Group>
      ) : (
        <p className="quiet">{t("lead")}</p>
      )}
      {form.values[name] === "replace" && <Stack gap="sm">{children}</Stack>}
    </fieldset>
  );
}
