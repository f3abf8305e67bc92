import { useTexts } from "../platform/language/texts.ts";
import { Page } from "../platform/trail.tsx";
import { Health } from "./health.tsx";
import { LastMessages } from "./last-messages.tsx";
import { Steps } from "./steps.tsx";
import { texts } from "./texts.ts";
import { Week } from "./week.tsx";

/** How the workspace is doing, and what to do first in a new one. */
export function Home() {
  const t = useTexts(texts);
  return (
    <Page title={t("home")}>
      <Health />
      <Steps />
      <Week />
      <LastMessages />
    </Page>
  );
}
