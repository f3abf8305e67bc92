import { useDebouncedValue } from "@mantine/hooks";
import { useQueries } from "@tanstack/react-query";
import { useWorkspace } from "../platform/call/workspace.ts";
import type { IconName } from "../platform/look/icons.tsx";
import { type FoundRow, type SearchGroup, sourcesFor } from "./sources.ts";

export interface Found {
  href: string;
  label: string;
  detail: string;
  icon: IconName;
}
export interface FoundGroup {
  group: SearchGroup;
  found: Found[];
}

/** How long nothing must be typed before the service is asked. */
const PAUSE_MS = 150;
const LEAST_CHARACTERS = 2;

/**
 * Searches all lists of the workspace side by side for what is typed. Another text ends the searches for the one before. `hasRoom` says which
 * settings have a page.
 */
export function useSearch(typed: string, hasRoom: (path: string) => boolean) {
  const { id: workspace, call } = useWorkspace();
  const text = typed.trim();
  const [asked] = useDebouncedValue(text, PAUSE_MS);
  const enough = asked.length >= LEAST_CHARACTERS && text.length >= LEAST_CHARACTERS;
  const sources = enough ? sourcesFor(asked).filter(({ room }) => room === undefined || hasRoom(room)) : [];
  const answers = useQueries({
    queries: sources.map(({ path, query }) => ({
      queryKey: [workspace, path, query],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await call<{ data: FoundRow[] }>("GET", path, { query, signal })).body,
      staleTime: 10_000,
      retry: false,
    })),
  });
  const groups = sources.map(({ group, icon, show }, i): FoundGroup => {
    const rows = answers[i]?.data?.data ?? [];
    const found = rows.map((row) => show(row, asked.toLowerCase())).filter((one) => one !== undefined);
    const at = (path: string) => `/w/${workspace}${path}`;
    return { group, found: found.slice(0, 5).map(({ path, ...one }) => ({ ...one, href: at(path), icon })) };
  });
  return {
    groups: groups.filter(({ found }) => found.length > 0),
    searching: text.length >= LEAST_CHARACTERS && (asked !== text || answers.some(({ isPending }) => isPending)),
    /** A list that this member may not read is no failure. */
    failed: answers.some(({ error }) => error && (error as { status?: number }).status !== 403),
  };
}
