import { getRouteApi } from "@tanstack/react-router";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { AuthoredRow } from "../../platform/list/authored-row.tsx";
import { NewLayout } from "../start/new-part.tsx";
import type { LayoutRow } from "../template.ts";
import { ListPage } from "./list-page.tsx";

const route = getRouteApi("/w/$workspace/email-layouts");

/** All email layouts. */
export function Layouts() {
  const { id: workspace } = useWorkspace();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const linkOf = (id: string) => ({ to: "/w/$workspace/email-layouts/$id", params: { workspace, id } }) as const;
  return (
    <ListPage<LayoutRow>
      kind="layouts"
      path="/email-layouts"
      icon="desktop"
      search={search}
      onSearch={(to) => void navigate({ search: to, replace: true })}
      dialog={
        <NewLayout
          onClose={() => void navigate({ search: ({ new: _, ...rest }) => rest, replace: true })}
          onMade={(id) => void navigate(linkOf(id))}
        />
      }
    >
      {({ id, name, format, updated_at }) => (
        <AuthoredRow link={linkOf(id)} name={name} at={updated_at}>
          <span className="quiet">{format === "mjml" ? "MJML" : "HTML"}</span>
        </AuthoredRow>
      )}
    </ListPage>
  );
}
