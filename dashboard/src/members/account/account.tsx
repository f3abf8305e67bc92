import { Button, TextInput } from "@mantine/core";
import { callSignedIn } from "../../platform/call/call.ts";
import { queries } from "../../platform/call/queries.ts";
import { useForm } from "../../platform/form/form.ts";
import { FormProblem, UnsavedGuard } from "../../platform/form/parts.tsx";
import { Password } from "../../platform/form/password.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { Section } from "../../platform/look/parts.tsx";
import { tell } from "../../platform/states/toasts.tsx";
import { Page } from "../../platform/trail.tsx";
import css from "../members.module.css";
import { Passkeys } from "./passkeys.tsx";
import { SecondFactor } from "./second-factor.tsx";
import { keepSession, type Session, useSession } from "../session.ts";
import { Sessions } from "./sessions.tsx";
import { texts } from "../texts.ts";

/** The member's own account: name, password, second factor and sessions. */
export function Account() {
  const t = useTexts(texts);
  const { data: session } = useSession();
  if (!session) return null;
  return (
    <Page title={t("account")} lead={session.member.email}>
      <Profile name={session.member.name ?? ""} />
      <NewPassword />
      <SecondFactor on={session.member.second_factor} />
      <Passkeys />
      <Sessions />
    </Page>
  );
}

function Profile({ name }: { name: string }) {
  const t = useTexts(texts);
  const form = useForm({ name }, async (values) => {
    keepSession(await callSignedIn<Session>("PATCH", "/member", { body: { name: values.name || null } }));
    tell(t("saved"));
  });
  return (
    <Section title={t("profile")}>
      <form onSubmit={form.onSubmit} className={css.fields}>
        <TextInput label={t("name")} description={t("nameHint")} autoComplete="name" {...form.text("name")} />
        <FormProblem problem={form.problem} />
        <Button type="submit" variant="default" loading={form.busy} disabled={!form.dirty}>
          {t("save")}
        </Button>
        <UnsavedGuard dirty={form.dirty} />
      </form>
    </Section>
  );
}

function NewPassword() {
  const t = useTexts(texts);
  const empty = { current_password: "", new_password: "" };
  const form = useForm(empty, async (body) => {
    await callSignedIn("POST", "/password", { body });
    tell(t("passwordChanged"));
    void queries.invalidateQueries({ queryKey: ["sessions"] });
    form.reset(empty);
  });
  return (
    <Section title={t("password")}>
      <form onSubmit={form.onSubmit} className={css.fields}>
        <Password label={t("currentPassword")} autoComplete="current-password" {...form.text("current_password")} />
        <Password
          label={t("newPassword")}
          description={t("passwordHint")}
          autoComplete="new-password"
          {...form.text("new_password")}
        />
        <FormProblem problem={form.problem} />
        <Button type="submit" variant="default" loading={form.busy}>
          {t("changePassword")}
        </Button>
        <UnsavedGuard dirty={form.dirty} />
      </form>
    </Section>
  );
}
