import type { AuditList } from "@tidings/contract/audit";
import type { Static } from "typebox";
import { useRead } from "../platform/call/queries.ts";
import { useFormat } from "../platform/language/format.ts";

/** Who changed a thing last, by the log of changes. Where that knows nothing (any more), only when. */
export function ChangedBy({ id, at }: { id: string; at: string }) {
  const format = useFormat();
  const { data } = useRead<Static<typeof AuditList>>("/audit", { resource: id, limit: 1 });
  const [last] = data?.data ?? [];
  const when = last?.at ?? at;
  return (
    <span>
      {last && `${last.actor.name || last.actor.type}, `}
      <time dateTime={when} title={format.instant(when)}>
        {format.ago(when)}
      </time>
    </span>
  );
}
