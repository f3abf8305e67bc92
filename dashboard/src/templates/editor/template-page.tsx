import { Button, Menu } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { Ask } from "../../platform/ask.tsx";
import { useVersion } from "../../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { HistoryLink } from "../../platform/history-link.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { authoredIcons } from "../../platform/list/authored-kinds.ts";
import { Icon } from "../../platform/look/icons.tsx";
import { useRemember } from "../../platform/recent.ts";
import { Answer, Loading } from "../../platform/states/states.tsx";
import { tell, tellFault } from "../../platform/states/toasts.tsx";
import { Page } from "../../platform/trail.tsx";
import { useLeave } from "../../platform/use-leave.ts";
import type { Template } from "../template.ts";
import css from "../templates.module.css";
import { texts as roomTexts } from "../texts.ts";
import { Versions } from "../versions/versions.tsx";
import { TemplateForm } from "./template-form.tsx";
import { texts } from "./texts.ts";
import { bodyOf, valuesOf } from "./values.ts";

const route = getRouteApi("/w/$workspace/email-templates/$id");

/** One email template: its texts beside how they come out, and its versions. */
export function TemplatePage() {
  const t = useTexts(texts);
  const room = useTexts(roomTexts);
  const { workspace, id } = route.useParams();
  const { view } = route.useSearch();
  const path = `/email-templates/${id}`;
  const read = useVersion<Template>(path);
  const template = read.data?.body;
  useRemember(`/w/${workspace}${path}`, template?.name, authoredIcons["email-templates"]);
  return (
    <Page
      title={template?.name ?? t("template")}
      above={[{ text: room("room"), link: { to: "/w/$workspace/email-templates", params: { workspace } } }]}
      lead={template && t("lead", { format: template.format.toUpperCase(), version: template.version })}
      actions={template && <Actions template={template} />}
      wide
    >
      <nav className={css.tabs} aria-label={t("template")}>
        {([undefined, "versions"] as const).map((one) => (
          <Link
            key={one ?? "write"}
            to="/w/$workspace/email-templates/$id"
            params={{ workspace, id }}
            search={one ? { view: one } : {}}
            // Two versions that are compared are in the address, too.
            activeOptions={{ exact: one === undefined, includeSearch: true }}
            className={css.tab ?? ""}
          >
            {t(one ?? "write")}
          </Link>
        ))}
      </nav>
      <Answer of={read} loading={<Loading rows={10} />}>
        {(version) => (view ? <Versions template={version.body} /> : <TemplateForm version={version} />)}
      </Answer>
    </Page>
  );
}

function Actions({ template }: { template: Template }) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const navigate = route.useNavigate();
  const leave = useLeave();
  const [removing, setRemoving] = useState(false);
  const { id, name } = template;
  const duplicate = async () => {
    const body = { ...bodyOf(valuesOf(template)), format: template.format, name: t("copyName", { name }) };
    const made = await open.call<Template>("POST", "/email-templates", { body });
    tell(t("duplicated"));
    void navigate({ to: "/w/$workspace/email-templates/$id", params: { workspace: open.id, id: made.body.id } });
  };
  return (
    <>
      <HistoryLink of={id} name={name} />
      {mayEdit(open) && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" rightSection={<Icon name="down" size={14} />}>
              {t("more")}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => void duplicate().catch(tellFault)}>{t("duplicate")}</Menu.Item>
            <Menu.Item color="red" onClick={() => setRemoving(true)}>
              {t("remove")}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {removing && (
        <Ask
          title={`${t("remove")}: ${name}`}
          yes={t("remove")}
          bad
          onYes={async () => {
            await open.call("DELETE", `/email-templates/${id}`);
            tell(t("removed", { name }));
            void leave({ to: "/w/$workspace/email-templates", params: { workspace: open.id } });
          }}
          onClose={() => setRemoving(false)}
        >
          {t("removeSure")}
        </Ask>
      )}
    </>
  );
}
