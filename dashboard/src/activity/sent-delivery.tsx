import { Link } from "@tanstack/react-router";
import { useRead } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useTexts } from "../platform/language/texts.ts";
import css from "./activity.module.css";
import type { DeliveryDetail } from "./delivery.ts";
import { Status } from "./status.tsx";
import { texts } from "./texts.ts";

/** A message that was just sent to try it out, and what becomes of it as it happens. Said aloud; nothing before one is sent. */
export function SentDelivery({ id }: { id: string | undefined }) {
  return <div aria-live="polite">{id !== undefined && <Sent key={id} id={id} />}</div>;
}

function Sent({ id }: { id: string }) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const { data } = useRead<DeliveryDetail>(`/deliveries/${id}`);
  return (
    <p className={css.sent}>
      {data && <Status of={data.status} />}
      <Link to="/w/$workspace/deliveries" params={{ workspace }} search={{ open: id }}>
        {t("toDelivery")}
      </Link>
      {data?.recipient && <span className="quiet">{data.recipient}</span>}
    </p>
  );
}
