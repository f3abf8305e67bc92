import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useEffect, useState } from "react";
import { call } from "../../platform/call/call.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { FormProblem } from "../../platform/form/parts.tsx";
import { Icon } from "../../platform/look/icons.tsx";
import { lastWorkspace, type Session } from "../session.ts";
import css from "./door.module.css";
import { otherTexts } from "./other-texts.ts";
import { knowsPasskeys, NoPasskey, signInByPasskey } from "./passkey.ts";

interface OtherWaysProps {
  /** The workspace that is to be opened, where it is known. */
  workspace: string | undefined;
  /** Whether a page stays open below: then a provider is visited in another window. */
  above?: boolean;
  onSignedIn: (session: Session) => void;
}

/** How to sign in without a password: with a passkey, or at the identity provider of a workspace. */
export function OtherWays({ workspace, above = false, onSignedIn }: OtherWaysProps) {
  const t = useTexts(otherTexts);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Error>();
  const passkey = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      onSignedIn(await signInByPasskey());
    } catch (error) {
      setProblem(error instanceof NoPasskey ? new Error(t("noPasskey")) : (error as Error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={css.others}>
      <span className={css.or}>{t("or")}</span>
      {knowsPasskeys() && (
        <Button variant="default" loading={busy} onClick={() => void passkey()} leftSection={<Icon name="key" />}>
          {t("withPasskey")}
        </Button>
      )}
      <Provider workspace={workspace ?? lastWorkspace()} above={above} onSignedIn={onSignedIn} />
      <FormProblem problem={problem} />
    </div>
  );
}

const startOf = (workspace: string): string => `/api/v1/oidc/start?workspace=${encodeURIComponent(workspace)}`;
/** How the id of a workspace begins. */
const BEGINNING = "ws_…";
const LOOK_MS = 1_500;

/** Leads to the provider of a workspace. Which one it is, is asked where this browser has opened none yet. */
function Provider({ workspace, above, onSignedIn }: OtherWaysProps) {
  const t = useTexts(otherTexts);
  const [asking, setAsking] = useState(false);
  const [typed, setTyped] = useState("");
  const [away, setAway] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it looks from when the other window is open
  useEffect(() => {
    if (!away) return;
    const look = () => call<Session>("GET", "/session").then(onSignedIn, () => undefined);
    const timer = setInterval(() => void look(), LOOK_MS);
    return () => clearInterval(timer);
  }, [away]);
  const go = (id: string) => {
    if (!above) return window.location.assign(startOf(id));
    window.open(startOf(id), "_blank", "noopener");
    setAway(true);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (typed.trim()) go(typed.trim());
  };
  if (!asking)
    return (
      <>
        <Button variant="default" onClick={() => (workspace ? go(workspace) : setAsking(true))}>
          {t("withProvider")}
        </Button>
        {away && <span role="status">{t("elsewhere")}</span>}
      </>
    );
  return (
    <form className={css.others} onSubmit={submit}>
      <TextInput
        label={t("workspaceId")}
        description={t("workspaceHint")}
        placeholder={BEGINNING}
        autoFocus
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" variant="default">
        {t("toProvider")}
      </Button>
    </form>
  );
}
