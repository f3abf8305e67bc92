import { useCallback, useMemo } from "react";
import { useRead } from "../../platform/call/queries.ts";

interface NamesPage {
  data: { id: string; name: string }[];
}

/** Reads the names of what steps refer to by id. Who has more of a kind than one page sees an id. */
export function useNames(): (id: string) => string | undefined {
  const query = { limit: 200, sort: "-updated_at" };
  const { data: audiences } = useRead<NamesPage>("/audiences", query);
  const { data: messages } = useRead<NamesPage>("/in-app-messages", query);
  const { data: templates } = useRead<NamesPage>("/email-templates", query);
  const { data: campaigns } = useRead<NamesPage>("/campaigns", query);
  const names = useMemo(() => {
    const rows = [audiences, messages, templates, campaigns].flatMap((page) => page?.data ?? []);
    return new Map(rows.map(({ id, name }) => [id, name]));
  }, [audiences, messages, templates, campaigns]);
  return useCallback((id: string) => names.get(id), [names]);
}
