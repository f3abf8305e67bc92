import { useState } from "react";
import type { Read } from "../../platform/call/call.ts";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Note } from "../../platform/look/parts.tsx";
import type { Broadcast } from "../broadcast.ts";
import { Preview } from "../preview/preview.tsx";
import { Preflight } from "./preflight.tsx";
import { SendPanel } from "./send-panel.tsx";
import { TestSend } from "./test-send.tsx";
import { texts } from "./texts.ts";
import { usePreflight } from "./use-preflight.ts";

/** The last step: who gets it, how it comes out, a test, and sending it. All of it is about what is saved. */
export function Review({ version, unsaved }: { version: Read<Broadcast>; unsaved: boolean }) {
  const t = useTexts(texts);
  const off = !mayEdit(useWorkspace());
  const preflight = usePreflight(version);
  const [person, setPerson] = useState<string>();
  const chosen = person ?? preflight.data?.samples.will_receive?.[0] ?? "";
  return (
    <>
      {unsaved && <Note tone="warn">{t("unsaved")}</Note>}
      <Preflight read={preflight} />
      <Preview broadcast={version.body} etag={version.etag} person={chosen} onPerson={setPerson} />
      <TestSend broadcast={version.body} off={off || unsaved} />
      <SendPanel version={version} preflight={preflight.data} off={off || unsaved} />
    </>
  );
}
