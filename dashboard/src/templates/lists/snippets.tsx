import { getRouteApi } from "@tanstack/react-router";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { AuthoredRow } from "../../platform/list/authored-row.tsx";
import { NewSnippet } from "../start/new-part.tsx";
import type { SnippetRow } from "../template.ts";
import { ListPage } from "./list-page.tsx";

const route = getRouteApi("/w/$workspace/snippets");

/** All snippets. */
export function Snippets() {
  const { id: workspace } = useWorkspace();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const linkOf = (id: string) => ({ to: "/w/$workspace/snippets/$id", params: { workspace, id } }) as const;
  return (
    <ListPage<SnippetRow>
      kind="snippets"
      path="/snippets"
      icon="chat"
      search={search}
      onSearch={(to) => void navigate({ search: to, replace: true })}
      dialog={
        <NewSnippet
          onClose={() => void navigate({ search: ({ new: _, ...rest }) => rest, replace: true })}
          onMade={(id) => void navigate(linkOf(id))}
        />
      }
    >
      {({ id, name, updated_at }) => (
        <AuthoredRow link={linkOf(id)} name={name} about={<code>{`{% snippet "${name}" %}`}</code>} at={updated_at} />
      )}
    </ListPage>
  );
}
