import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { call } from "../../platform/call/call.ts";
import { isRefusal } from "../../platform/call/refusal.ts";
import { useForm } from "../../platform/form/form.ts";
import { FormProblem } from "../../platform/form/parts.tsx";
import { Password } from "../../platform/form/password.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import css from "./door.module.css";
import { EmailField } from "./email-field.tsx";
import type { Session } from "../session.ts";
import { texts } from "../texts.ts";

/** Email and password, and the code where the account has a second factor: it is asked for only then. */
export function SignInForm({ email = "", onSignedIn }: { email?: string; onSignedIn: (session: Session) => void }) {
  const t = useTexts(texts);
  const [second, setSecond] = useState(false);
  const form = useForm({ email, password: "", code: "" }, async ({ code, ...values }) => {
    try {
      onSignedIn(await call<Session>("POST", "/session", { body: { ...values, ...(code && { code: code.trim() }) } }));
    } catch (error) {
      if (!isRefusal(error, "second_factor_required")) throw error;
      setSecond(true);
      // With a code it was the code that was wrong.
      if (code) throw error;
    }
  });
  return (
    <form className={css.form} onSubmit={form.onSubmit}>
      <EmailField data-autofocus={!email} autoFocus={!email} {...form.text("email")} />
      <Password
        label={t("password")}
        autoComplete="current-password"
        data-autofocus={Boolean(email)}
        autoFocus={Boolean(email)}
        {...form.text("password")}
      />
      {second && (
        <TextInput
          label={t("code")}
          description={t("codeHint")}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          autoFocus
          {...form.text("code")}
        />
      )}
      <FormProblem problem={form.problem} />
      <Button type="submit" loading={form.busy}>
        {t("signIn")}
      </Button>
    </form>
  );
}
