import type { Channel, DeliveryStatus } from "@tidings/contract/facts/activity";
import { memo } from "react";
import { useRead } from "../../platform/call/queries.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Choice, Choices } from "../../platform/look/parts.tsx";
import css from "../activity.module.css";
import { channelIcon, channels, statuses, toneOf } from "../delivery.ts";
import { texts } from "../texts.ts";
import { type Changed, type DeliveriesSearch, queryOf } from "./search.ts";

/** A part of the answer of the list. */
interface Counted {
  counts: {
    total: number;
    exact: boolean;
    by_status: Record<DeliveryStatus, number>;
    by_channel: Record<Channel, number>;
  };
}
const RECOUNT_MS = 15_000;

interface FacetsProps {
  search: DeliveriesSearch;
  now: number;
  onChange: (changed: Changed) => void;
}

/** How many deliveries of each status and channel the other filters leave. A click shows those. */
export const Facets = memo(function Facets({ search, now, onChange }: FacetsProps) {
  const t = useTexts(texts);
  const { sort: _, ...filters } = search;
  const read = useRead<Counted>(
    "/deliveries",
    { ...queryOf(filters, now), limit: 1, counts: true },
    { everyMs: RECOUNT_MS, keep: true },
  );
  const counts = read.data?.counts;
  const { status, channel } = search;
  // Those that nothing has would be twelve words to read for the three that matter.
  const shown = statuses.filter((one) => one === status || (counts?.by_status[one] ?? 0) > 0);
  return (
    <div className={css.facets}>
      <Choices of={t("status")}>
        <Choice chosen={status === undefined} onClick={() => onChange({ status: undefined })} text={t("allStatuses")} />
        {shown.map((one) => (
          <Choice
            key={one}
            tone={toneOf(one)}
            chosen={status === one}
            onClick={() => onChange({ status: status === one ? undefined : one })}
            text={t(one)}
            count={counts?.by_status[one]}
          />
        ))}
      </Choices>
      <Choices of={t("channel")}>
        {channels.map((one) => (
          <Choice
            key={one}
            icon={channelIcon[one]}
            chosen={channel === one}
            onClick={() => onChange({ channel: channel === one ? undefined : one })}
            text={t(one)}
            count={counts?.by_channel[one]}
          />
        ))}
      </Choices>
      {counts && !counts.exact && <span className={`${css.inexact} quiet`}>{t("amongNewest", { count: 10_000 })}</span>}
    </div>
  );
});
