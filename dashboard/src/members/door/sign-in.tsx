import { Anchor } from "@mantine/core";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useTexts } from "../../platform/language/texts.ts";
import { Note } from "../../platform/look/parts.tsx";
import { Door } from "./door.tsx";
import { keepSession, type Session } from "../session.ts";
import { otherTexts } from "./other-texts.ts";
import { OtherWays } from "./other-ways.tsx";
import { SignInForm } from "./sign-in-form.tsx";
import { texts } from "../texts.ts";

const route = getRouteApi("/sign-in");
const FAILURES = ["oidc_failed", "oidc_not_permitted", "oidc_no_email", "oidc_account_in_use"] as const;

export function SignIn() {
  const t = useTexts(texts);
  const other = useTexts(otherTexts);
  const { to, error } = route.useSearch();
  const navigate = useNavigate();
  const failure = FAILURES.find((one) => one === error);
  const enter = (session: Session) => {
    keepSession(session);
    void navigate({ to: to ?? "/" });
  };
  return (
    <Door title={t("signInTo")} lead={failure && <Note tone="bad">{other(failure)}</Note>}>
      <SignInForm onSignedIn={enter} />
      <OtherWays workspace={/^\/w\/([^/?]+)/.exec(to ?? "")?.[1]} onSignedIn={enter} />
      <Anchor component={Link} to="/reset" size="sm" mt="md" display="block" ta="center">
        {t("forgot")}
      </Anchor>
    </Door>
  );
}
