import { Button } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { Ask } from "../../platform/ask.tsx";
import { useVersion } from "../../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { HistoryLink } from "../../platform/history-link.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { authoredIcons } from "../../platform/list/authored-kinds.ts";
import { useRemember } from "../../platform/recent.ts";
import { Answer, Loading } from "../../platform/states/states.tsx";
import { tell } from "../../platform/states/toasts.tsx";
import { Page } from "../../platform/trail.tsx";
import { useLeave } from "../../platform/use-leave.ts";
import { texts as roomTexts } from "../texts.ts";
import { kindTexts, type Part, PartForm, type PartKind } from "./part-form.tsx";
import { texts } from "./texts.ts";

const lists = {
  "email-layouts": { text: "layouts", to: "/w/$workspace/email-layouts" },
  snippets: { text: "snippets", to: "/w/$workspace/snippets" },
} as const;

/** A layout whose id is in the address. */
export const LayoutPage = () => (
  <PartPage kind="email-layouts" id={useParams({ from: "/w/$workspace/email-layouts/$id" }).id} />
);

/** A snippet whose id is in the address. */
export const SnippetPage = () => <PartPage kind="snippets" id={useParams({ from: "/w/$workspace/snippets/$id" }).id} />;

/** A layout or a snippet: its text, how it comes out in a template, and which templates a change reaches. */
function PartPage({ kind, id }: { kind: PartKind; id: string }) {
  const t = useTexts(texts);
  const room = useTexts(roomTexts);
  const { id: workspace } = useWorkspace();
  const path = `/${kind}/${id}`;
  const read = useVersion<Part>(path);
  const part = read.data?.body;
  useRemember(`/w/${workspace}${path}`, part?.name, authoredIcons[kind]);
  const format = part && "format" in part ? `${part.format.toUpperCase()}, ` : "";
  return (
    <Page
      title={part?.name ?? t(kindTexts[kind])}
      above={[
        { text: room("room"), link: { to: "/w/$workspace/email-templates", params: { workspace } } },
        { text: room(lists[kind].text), link: { to: lists[kind].to, params: { workspace } } },
      ]}
      lead={part && `${format}${t("lead", { version: part.version })}`}
      actions={part && <Actions kind={kind} part={part} />}
      wide
    >
      <Answer of={read} loading={<Loading rows={10} />}>
        {(version) => <PartForm kind={kind} version={version} />}
      </Answer>
    </Page>
  );
}

function Actions({ kind, part: { id, name } }: { kind: PartKind; part: Part }) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const leave = useLeave();
  const [removing, setRemoving] = useState(false);
  return (
    <>
      <HistoryLink of={id} name={name} />
      {mayEdit(open) && (
        <Button variant="default" onClick={() => setRemoving(true)}>
          {t("remove")}
        </Button>
      )}
      {removing && (
        <Ask
          title={`${t("remove")}: ${name}`}
          yes={t("remove")}
          bad
          onYes={async () => {
            await open.call("DELETE", `/${kind}/${id}`);
            tell(t("removed", { name }));
            void leave({ to: lists[kind].to, params: { workspace: open.id } });
          }}
          onClose={() => setRemoving(false)}
        >
          {t("removeSure")}
        </Ask>
      )}
    </>
  );
}
