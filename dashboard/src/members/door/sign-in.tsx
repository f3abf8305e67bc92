import { Anchor } from "@mantine/core";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useTexts } from "../../platform/language/texts.ts";
import { Door } from "./door.tsx";
import { keepSession } from "../session.ts";
import { SignInForm } from "./sign-in-form.tsx";
import { texts } from "../texts.ts";

const route = getRouteApi("/sign-in");

export function SignIn() {
  const t = useTexts(texts);
  const { to } = route.useSearch();
  const navigate = useNavigate();
  return (
    <Door title={t("signInTo")}>
      <SignInForm
        onSignedIn={(session) => {
          keepSession(session);
          void navigate({ to: to ?? "/" });
        }}
      />
      <Anchor component={Link} to="/reset" size="sm" mt="md" display="block" ta="center">
        {t("forgot")}
      </Anchor>
    </Door>
  );
}
