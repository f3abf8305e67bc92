import { Link } from "@tanstack/react-router";
import { memo } from "react";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import css from "./activity.module.css";
import type { Delivery } from "./delivery.ts";
import type { DeliveriesSearch } from "./filters/search.ts";
import { ChannelName, Status } from "./status.tsx";
import { texts } from "./texts.ts";
import { whatOf } from "./what.ts";

interface DeliveryRowProps {
  delivery: Delivery;
  /** What else the address says while its drawer is open: the filters of the list. */
  search: DeliveriesSearch;
}

/** A link to the delivery's drawer, which marks the row while that is open. */
export const DeliveryRow = memo(function DeliveryRow({ delivery, search }: DeliveryRowProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  return (
    <Link
      to="/w/$workspace/deliveries"
      params={{ workspace }}
      search={{ ...search, open: delivery.id }}
      className={css.row ?? ""}
      preload={false}
    >
      <span className={css.rowStatus}>
        <Status of={delivery.status} />
      </span>
      <span className={`${css.rowWho} cut`}>{delivery.recipient ?? delivery.person_id ?? t("erased")}</span>
      <span className={`${css.rowSource} quiet cut`}>{whatOf(delivery) ?? t(delivery.source)}</span>
      <span className={`${css.rowChannel} quiet`}>
        <ChannelName of={delivery.channel} />
      </span>
      <time
        className={`${css.rowTime} quiet numbers`}
        dateTime={delivery.queued_at}
        title={format.instant(delivery.queued_at)}
      >
        {format.ago(delivery.queued_at)}
      </time>
    </Link>
  );
});
