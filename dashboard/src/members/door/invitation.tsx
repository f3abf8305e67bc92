import { Button, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { call } from "../../platform/call/call.ts";
import { queries } from "../../platform/call/queries.ts";
import { useForm } from "../../platform/form/form.ts";
import { FormProblem } from "../../platform/form/parts.tsx";
import { Password } from "../../platform/form/password.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { Door } from "./door.tsx";
import css from "./door.module.css";
import { useSession } from "../session.ts";
import { texts } from "../texts.ts";
import { useToken } from "./token.ts";

/** The page behind the link of an invitation. Somebody with an account accepts it signed in; somebody new makes an account. */
export function Invitation() {
  const t = useTexts(texts);
  const session = useSession();
  const email = session.data?.member.email;
  return (
    <Door title={t("invited")} lead={email === undefined ? t("invitedNew") : t("invitedAs", { email })}>
      {session.isPending ? null : <Accept isNew={email === undefined} />}
    </Door>
  );
}

function Accept({ isNew }: { isNew: boolean }) {
  const t = useTexts(texts);
  const token = useToken();
  const navigate = useNavigate();
  const form = useForm({ name: "", password: "" }, async ({ name, password }) => {
    const account = isNew ? { password, ...(name && { name }) } : {};
    await call("POST", "/invitations/accept", { body: { token, ...account } });
    queries.clear();
    await navigate({ to: "/" });
  });
  return (
    <form className={css.form} onSubmit={form.onSubmit}>
      {isNew && (
        <>
          <TextInput
            label={t("name")}
            description={t("nameHint")}
            autoComplete="name"
            autoFocus
            {...form.text("name")}
          />
          <Password
            label={t("password")}
            description={t("passwordHint")}
            autoComplete="new-password"
            {...form.text("password")}
          />
        </>
      )}
      <FormProblem problem={form.problem} />
      <Button type="submit" loading={form.busy}>
        {t("accept")}
      </Button>
    </form>
  );
}
