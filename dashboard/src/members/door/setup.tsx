import { Anchor, Button, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { call } from "../../platform/call/call.ts";
import { isRefusal } from "../../platform/call/refusal.ts";
import { useForm } from "../../platform/form/form.ts";
import { FormProblem } from "../../platform/form/parts.tsx";
import { Password } from "../../platform/form/password.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { Door } from "./door.tsx";
import css from "./door.module.css";
import { EmailField } from "./email-field.tsx";
import { keepSession, type Session } from "../session.ts";
import { texts } from "../texts.ts";
import { useToken } from "./token.ts";

/** Whether the service has no member yet. */
export const readSetup = () => call<{ needed: boolean }>("GET", "/setup");

/** The first visit: the token of the start makes the owner. */
export function Setup() {
  const t = useTexts(texts);
  const token = useToken();
  const navigate = useNavigate();
  const needed = useQuery({ queryKey: ["setup"], queryFn: readSetup });
  const form = useForm({ token, name: "", email: "", password: "" }, async ({ name, ...values }) => {
    keepSession(await call<Session>("POST", "/setup", { body: { ...values, ...(name && { name }) } }));
    await navigate({ to: "/" });
  });
  if (needed.data?.needed === false)
    return (
      <Door title={t("setUpDone")}>
        <Anchor component={Link} to="/sign-in">
          {t("toSignIn")}
        </Anchor>
      </Door>
    );
  return (
    <Door title={t("setUp")} lead={t("setUpBody")}>
      <form className={css.form} onSubmit={form.onSubmit}>
        {/* Shown only where the link did not bring it, or the service refused it. */}
        {(!token || isRefusal(form.problem, "link_invalid")) && (
          <TextInput
            label={t("token")}
            description={t("tokenHint")}
            autoComplete="off"
            required
            withAsterisk={false}
            {...form.text("token")}
          />
        )}
        <EmailField autoFocus {...form.text("email")} />
        <TextInput label={t("name")} description={t("nameHint")} autoComplete="name" {...form.text("name")} />
        <Password
          label={t("password")}
          description={t("passwordHint")}
          autoComplete="new-password"
          {...form.text("password")}
        />
        <FormProblem problem={form.problem} />
        <Button type="submit" loading={form.busy}>
          {t("create")}
        </Button>
      </form>
    </Door>
  );
}
