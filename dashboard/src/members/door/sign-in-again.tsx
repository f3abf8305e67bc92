import { Modal } from "@mantine/core";
import { continueSession, sessionEnded } from "../../platform/call/session.ts";
import { queries } from "../../platform/call/queries.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { useStore } from "../../platform/store.ts";
import { keepSession, type Session } from "../session.ts";
import { OtherWays } from "./other-ways.tsx";
import { SignInForm } from "./sign-in-form.tsx";
import { texts } from "../texts.ts";

/** Asks to sign in above the open page, which keeps what was typed. The interrupted calls are then made again. */
export function SignInAgain() {
  const t = useTexts(texts);
  const ended = useStore(sessionEnded);
  const before = queries.getQueryData<Session>(["session"])?.member;
  const go = (session: Session) => {
    // The page shows what another member may see: it is loaded anew.
    if (before && session.member.id !== before.id) return window.location.assign("/");
    keepSession(session);
    continueSession();
  };
  return (
    <Modal opened={ended} onClose={() => {}} title={t("ended")} zIndex={300}>
      <p>{t("endedBody")}</p>
      {ended && (
        <>
          <SignInForm email={before?.email ?? ""} onSignedIn={go} />
          <OtherWays workspace={/^\/w\/([^/]+)/.exec(window.location.pathname)?.[1]} above onSignedIn={go} />
        </>
      )}
    </Modal>
  );
}
