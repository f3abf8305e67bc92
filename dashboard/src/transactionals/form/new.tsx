import { Button, Group, Tabs } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { sessionEnded } from "../../platform/call/session.ts";
import { AsCall } from "../../platform/code/as-call.tsx";
import { useForm } from "../../platform/form/form.ts";
import { FormProblem, UnsavedGuard } from "../../platform/form/parts.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { Note } from "../../platform/look/parts.tsx";
import { texts as states } from "../../platform/states/texts.ts";
import { tell } from "../../platform/states/toasts.tsx";
import { useStore } from "../../platform/store.ts";
import { Page } from "../../platform/trail.tsx";
import { PreviewPane } from "../page/preview-pane.tsx";
import { texts } from "../texts.ts";
import css from "../transactionals.module.css";
import { type Tab, tabs } from "../search.ts";
import { DraftContract } from "./draft-contract.tsx";
import { NameFields, SaidFields, SettingFields } from "./fields.tsx";
import { contentOf, emptyValues, inputOf, type Transactional } from "./values.ts";

/** Makes a transactional. Nothing is saved before it is whole. */
export function NewTransactional() {
  const t = useTexts(texts);
  const say = useTexts(states);
  const open = useWorkspace();
  const navigate = useNavigate();
  const ended = useStore(sessionEnded);
  const [tab, setTab] = useState<Tab>(tabs[0]);
  const off = !mayEdit(open);
  const form = useForm(emptyValues, async (values) => {
    if (!mayEdit(open)) return;
    const { body } = await open.call<Transactional>("POST", "/transactionals", { body: inputOf(values) });
    tell(t("created"));
    await navigate({
      to: "/w/$workspace/$kind/$id",
      params: { workspace: open.id, kind: "transactionals", id: body.id },
    });
  });
  const list = { to: "/w/$workspace/transactionals", params: { workspace: open.id } } as const;
  return (
    <Page title={t("newTitle")} above={[{ text: t("transactionals"), link: list }]} wide>
      {off && <Note tone="plain">{say("onlyRead")}</Note>}
      <Tabs value={tab} onChange={(to) => setTab(to as Tab)}>
        <Tabs.List aria-label={t("parts")}>
          <Tabs.Tab value="write">{t("tab_write")}</Tabs.Tab>
          <Tabs.Tab value="call">{t("tab_call")}</Tabs.Tab>
          <Tabs.Tab value="results" disabled title={t("afterMade")}>
            {t("tab_results")}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="write" keepMounted>
          <div className={css.split}>
            <form onSubmit={form.onSubmit}>
              <NameFields form={form} off={off} making />
              <SaidFields form={form} off={off} scope={{ trigger: {} }} />
              <SettingFields form={form} off={off} />
              <FormProblem problem={form.problem} />
              <Group justify="flex-end" mt="lg">
                <Button type="submit" loading={form.busy} disabled={off}>
                  {t("create")}
                </Button>
              </Group>
            </form>
            <div className={css.beside}>
              <PreviewPane channel={form.values.channel} content={contentOf(form.values)} />
            </div>
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="call" keepMounted={false}>
          {tab === "call" && <DraftContract values={form.values} />}
        </Tabs.Panel>
      </Tabs>
      <UnsavedGuard dirty={form.dirty && (!form.busy || ended)} />
      <AsCall
        of={{
          method: "POST",
          path: "/api/v1/transactionals",
          node: "transactionals.create",
          body: inputOf(form.values),
        }}
      />
    </Page>
  );
}
