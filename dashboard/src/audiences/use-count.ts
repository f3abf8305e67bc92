import type { AudiencePreview } from "@tidings/contract/audience/audiences";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Static } from "typebox";
import { useWorkspace } from "../platform/call/workspace.ts";
import { isComplete } from "./builder/errors.ts";
import type { Part } from "./builder/model/tree.ts";

export type Preview = Static<typeof AudiencePreview>;

/** How many people a filter lets through now. */
export interface Counted {
  /** The last answer, also while a changed filter is counted. */
  preview: Preview | undefined;
  /** Something is not filled in yet. */
  incomplete: boolean;
  counting: boolean;
  error: Error | null;
  retry: () => void;
}
/** How long nothing must be changed before people are counted. */
const PAUSE_MS = 350;

/** Counts the people of a filter while it is typed. The last filter wins: a count that is still under way for another one is given up. */
export function useCount(filter: Part | null): Counted {
  const { id, call } = useWorkspace();
  const complete = isComplete(filter);
  const written = complete ? JSON.stringify(filter) : "";
  const [asked] = useDebouncedValue(written, PAUSE_MS);
  const enabled = complete && asked !== "";
  const query = useQuery({
    queryKey: [id, "/audiences/preview", asked],
    queryFn: async ({ signal }) =>
      (await call<Preview>("POST", "/audiences/preview", { body: { filter: JSON.parse(asked) }, signal })).body,
    enabled,
    placeholderData: keepPreviousData,
    retry: false,
  });
  return {
    preview: complete ? query.data : undefined,
    incomplete: !complete,
    counting: complete && (query.isFetching || written !== asked),
    error: enabled && written === asked ? query.error : null,
    retry: () => void query.refetch(),
  };
}
