import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { queries, useRead } from "../../platform/call/queries.ts";
import { sessionEnded } from "../../platform/call/session.ts";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { AsCall } from "../../platform/code/as-call.tsx";
import { useForm } from "../../platform/form/form.ts";
import { FormProblem, UnsavedGuard } from "../../platform/form/parts.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { Note } from "../../platform/look/parts.tsx";
import { Answer, Loading } from "../../platform/states/states.tsx";
import { tell } from "../../platform/states/toasts.tsx";
import { useStore } from "../../platform/store.ts";
import { Page } from "../../platform/trail.tsx";
import { OffNote } from "../list/off-note.tsx";
import { type Message, pathOf } from "../message.ts";
import css from "./editor.module.css";
import { Fields } from "./fields.tsx";
import { PreviewPane } from "./preview-pane.tsx";
import { texts } from "./texts.ts";
import { emptyValues, inputOf, type MessageValues, type Quiet, valuesOf } from "./values.ts";

/** A message that is not saved yet; with `from` it starts as a copy of that one. */
export function NewMessage({ from }: { from: string | undefined }) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const defaults = useRead<{ quiet_defaults: Quiet | null }>("/workspace");
  const original = useRead<Message>(pathOf(from ?? ""), {}, { enabled: from !== undefined });
  return (
    <Page
      title={t("newMessage")}
      above={[{ text: t("messages"), link: { to: "/w/$workspace/in-app-messages", params: { workspace } } }]}
      lead={t("versionsNew")}
      wide
    >
      <Answer of={defaults} loading={<Loading rows={12} />}>
        {({ quiet_defaults: quiet }) =>
          from === undefined ? (
            <Creator initial={emptyValues(quiet)} />
          ) : (
            <Answer of={original} loading={<Loading rows={12} />}>
              {(message) => (
                <Creator initial={{ ...valuesOf(message), name: t("copyOf", { name: message.name }).slice(0, 200) }} />
              )}
            </Answer>
          )
        }
      </Answer>
    </Page>
  );
}

function Creator({ initial }: { initial: MessageValues }) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const navigate = useNavigate();
  const off = !mayEdit(open);
  const ended = useStore(sessionEnded);
  const form = useForm(initial, async (values) => {
    const { body } = await open.call<Message>("POST", "/in-app-messages", { body: inputOf(values) });
    tell(t("created"));
    void queries.invalidateQueries({ queryKey: [open.id, "/in-app-messages"] });
    await navigate({
      to: "/w/$workspace/in-app-messages/$id",
      params: { workspace: open.id, id: body.id },
      replace: true,
    });
  });
  const body = inputOf(form.values);
  return (
    <>
      <OffNote />
      <div className={css.columns}>
        <form onSubmit={form.onSubmit} className={css.form}>
          {off && <Note tone="plain">{t("mayNot")}</Note>}
          <Fields form={form} off={off} />
          {!off && (
            <div className={css.create}>
              <FormProblem problem={form.problem} />
              <Button type="submit" loading={form.busy}>
                {t("create")}
              </Button>
            </div>
          )}
        </form>
        <aside className={css.aside}>
          <PreviewPane values={form.values} />
        </aside>
        <div className={css.rest}>
          <AsCall of={{ method: "POST", path: "/api/v1/in-app-messages", body, node: "inAppMessages.create" }} />
        </div>
      </div>
      <UnsavedGuard dirty={form.dirty && (!form.busy || ended)} />
    </>
  );
}
