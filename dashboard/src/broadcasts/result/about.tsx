import { Link } from "@tanstack/react-router";
import { useRead } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Facts, Section } from "../../platform/look/parts.tsx";
import { Copy } from "../../platform/states/copy.tsx";
import type { Broadcast } from "../broadcast.ts";
import { texts } from "./texts.ts";

interface Named {
  name: string;
}

/** How it was sent. */
export function About({ broadcast }: { broadcast: Broadcast }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { id, audience_id: audience, topic_id: topic, holdout_percent: holdout, rate_per_second: rate } = broadcast;
  const { send_at: sendAt, timezone } = broadcast;
  const { data: named } = useRead<Named>(`/topics/${topic}`, {}, { enabled: topic !== null });
  const instant = (at: string | null) => at && <time dateTime={at}>{format.instant(at)}</time>;
  const planned =
    sendAt &&
    (broadcast.local_time ? t("localTime", { time: format.instant(sendAt, timezone ?? "UTC") }) : instant(sendAt));
  return (
    <Section title={t("about")}>
      <Facts
        of={[
          [t("audience"), audience ? <AudienceLink key={audience} id={audience} /> : t("ownFilter")],
          [t("goesTo"), t(broadcast.subscription_preference === "all" ? "everybody" : "subscribedOnly")],
          [t("topic"), topic && (named?.name ?? topic)],
          [t("holdout"), holdout > 0 && format.percent(holdout / 100)],
          [t("speed"), rate && format.number(rate)],
          [t("send_at"), planned],
          [t("started_at"), instant(broadcast.started_at)],
          [t("finished_at"), instant(broadcast.finished_at)],
          [
            t("id"),
            <>
              <code className="cut">{id}</code>
              <Copy value={id} what={t("id")} />
            </>,
          ],
        ]}
      />
    </Section>
  );
}

function AudienceLink({ id }: { id: string }) {
  const { id: workspace } = useWorkspace();
  const { data } = useRead<Named>(`/audiences/${id}`);
  return (
    <Link to="/w/$workspace/$kind/$id" params={{ workspace, kind: "audiences", id }}>
      {data?.name ?? id}
    </Link>
  );
}
