import { getRouteApi } from "@tanstack/react-router";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { AuthoredRow } from "../../platform/list/authored-row.tsx";
import { NewTemplate } from "../start/new-template.tsx";
import type { TemplateRow } from "../template.ts";
import { ListPage } from "./list-page.tsx";

const route = getRouteApi("/w/$workspace/email-templates");

/** All email templates. */
export function Templates() {
  const { id: workspace } = useWorkspace();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const linkOf = (id: string) => ({ to: "/w/$workspace/email-templates/$id", params: { workspace, id } }) as const;
  return (
    <ListPage<TemplateRow>
      kind="templates"
      path="/email-templates"
      icon="mail"
      search={search}
      onSearch={(to) => void navigate({ search: to, replace: true })}
      dialog={
        <NewTemplate
          onClose={() => void navigate({ search: ({ new: _, ...rest }) => rest, replace: true })}
          onMade={({ id }) => void navigate(linkOf(id))}
        />
      }
    >
      {({ id, name, subject, format, updated_at }) => (
        <AuthoredRow link={linkOf(id)} name={name} about={subject} at={updated_at}>
          <span className="quiet">{format === "mjml" ? "MJML" : "HTML"}</span>
        </AuthoredRow>
      )}
    </ListPage>
  );
}
