import { Anchor, Button } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../platform/call/call.ts";
import { useForm } from "../../platform/form/form.ts";
import { FormProblem } from "../../platform/form/parts.tsx";
import { Password } from "../../platform/form/password.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { tell } from "../../platform/states/toasts.tsx";
import { Door } from "./door.tsx";
import css from "./door.module.css";
import { EmailField } from "./email-field.tsx";
import { texts } from "../texts.ts";
import { useToken } from "./token.ts";

/** Asks for a link; with the token of a link, asks for the new password. */
export function PasswordReset() {
  const token = useToken();
  return token ? <NewPassword token={token} /> : <AskForLink />;
}

function AskForLink() {
  const t = useTexts(texts);
  const [sent, setSent] = useState(false);
  const form = useForm({ email: "" }, async (body) => {
    await call("POST", "/password-resets", { body });
    setSent(true);
  });
  return (
    <Door
      title={t("reset")}
      lead={sent ? t("linkSent") : t("resetBody", { command: "npx tidings members reset-link" })}
    >
      {!sent && (
        <form className={css.form} onSubmit={form.onSubmit}>
          <EmailField autoFocus {...form.text("email")} />
          <FormProblem problem={form.problem} />
          <Button type="submit" loading={form.busy}>
            {t("sendLink")}
          </Button>
        </form>
      )}
      <Anchor component={Link} to="/sign-in" size="sm" mt="md" display="block" ta="center">
        {t("toSignIn")}
      </Anchor>
    </Door>
  );
}

function NewPassword({ token }: { token: string }) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const form = useForm({ new_password: "" }, async ({ new_password }) => {
    await call("POST", "/password-resets/complete", { body: { token, new_password } });
    tell(t("passwordSet"));
    await navigate({ to: "/sign-in" });
  });
  return (
    <Door title={t("reset")}>
      <form className={css.form} onSubmit={form.onSubmit}>
        <Password
          label={t("newPassword")}
          description={t("passwordHint")}
          autoComplete="new-password"
          autoFocus
          {...form.text("new_password")}
        />
        <FormProblem problem={form.problem} />
        <Button type="submit" loading={form.busy}>
          {t("setPassword")}
        </Button>
      </form>
    </Door>
  );
}
