import { getRouteApi } from "@tanstack/react-router";
import type { Read } from "../../platform/call/call.ts";
import { queries, useVersion } from "../../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { AsCall } from "../../platform/code/as-call.tsx";
import { useEdit } from "../../platform/form/edit.ts";
import { SaveBar } from "../../platform/form/save-bar.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { Note } from "../../platform/look/parts.tsx";
import { useRemember } from "../../platform/recent.ts";
import { Answer, Loading } from "../../platform/states/states.tsx";
import { tell } from "../../platform/states/toasts.tsx";
import { Page } from "../../platform/trail.tsx";
import { OffNote } from "../list/off-note.tsx";
import { type Message, pathOf } from "../message.ts";
import { TryOut } from "../try-out/try-out.tsx";
import { Actions } from "./actions.tsx";
import css from "./editor.module.css";
import { Fields } from "./fields.tsx";
import { NewMessage } from "./new-message.tsx";
import { PreviewPane } from "./preview-pane.tsx";
import { texts } from "./texts.ts";
import { UsedBy } from "./used-by.tsx";
import { useWords } from "./words.ts";
import { changedOf, inputOf, valuesOf } from "./values.ts";

const route = getRouteApi("/w/$workspace/in-app-messages/$id");

/** The page of one message, or of a new one. */
export function InAppMessagePage() {
  const { id } = route.useParams();
  const { from } = route.useSearch();
  return id === "new" ? <NewMessage key={from} from={from} /> : <OneMessage key={id} id={id} />;
}

function OneMessage({ id }: { id: string }) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const read = useVersion<Message>(pathOf(id));
  const message = read.data?.body;
  useRemember(`/w/${workspace}${pathOf(id)}`, message?.name, "window");
  return (
    <Page
      title={message?.name ?? t("message")}
      above={[{ text: t("messages"), link: { to: "/w/$workspace/in-app-messages", params: { workspace } } }]}
      lead={message && t("versions", { version: message.version })}
      actions={message && <Actions message={message} />}
      wide
    >
      <Answer of={read} loading={<Loading rows={12} />}>
        {(version) => <Editor version={version} />}
      </Answer>
    </Page>
  );
}

function Editor({ version }: { version: Read<Message> }) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const words = useWords();
  const { id } = version.body;
  const off = !mayEdit(open);
  const form = useEdit({
    path: pathOf(id),
    version,
    valuesOf,
    bodyOf: changedOf,
    onSaved: (message: Message) => {
      tell(t("saved", { version: message.version }));
      void queries.invalidateQueries({ queryKey: [open.id, "/in-app-messages"] });
    },
  });
  return (
    <>
      <OffNote />
      <div className={css.columns}>
        <form onSubmit={form.onSubmit} className={css.form}>
          {off && <Note tone="plain">{t("mayNot")}</Note>}
          <Fields form={form} off={off} />
          {!off && <SaveBar form={form} labels={words.labels} say={words.say} />}
        </form>
        <aside className={css.aside}>
          <PreviewPane values={form.values} />
          <TryOut message={version.body} dirty={form.dirty} />
        </aside>
        <div className={css.rest}>
          <UsedBy of={version.body.used_by} />
          <AsCall
            of={{
              method: "PATCH",
              path: `/api/v1${pathOf(id)}`,
              body: inputOf(form.values),
              node: "inAppMessages.update",
              ids: [id],
            }}
          />
        </div>
      </div>
    </>
  );
}
