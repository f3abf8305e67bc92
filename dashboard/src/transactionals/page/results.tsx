import type { Metrics } from "@tidings/contract/facts/activity";
import { Link } from "@tanstack/react-router";
import { FailureReasons } from "../../activity/failure/failure-reasons.tsx";
import { Behind } from "../../analytics/behind.tsx";
import { useRead } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { AsCall } from "../../platform/code/as-call.tsx";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Section } from "../../platform/look/parts.tsx";
import { Answer, Loading } from "../../platform/states/states.tsx";
import type { Transactional } from "../form/values.ts";
import { texts } from "../texts.ts";
import css from "../transactionals.module.css";

const shown = {
  email: ["sent", "delivered", "opened", "clicked", "bounced", "unsubscribed", "failed"],
  push: ["sent", "delivered", "opened", "clicked", "failed"],
  sms: ["sent", "delivered", "clicked", "failed"],
} as const satisfies Record<Transactional["channel"], readonly (keyof Metrics)[]>;

/** What became of its deliveries, each number with the way to those deliveries. */
export function Results({ of }: { of: Transactional }) {
  const path = `/api/v1/transactionals/${of.id}/metrics`;
  return (
    <>
      <Figures of={of} />
      <AsCall of={{ method: "GET", path, node: "transactionals.metrics", ids: [of.id] }} />
    </>
  );
}

function Figures({ of: { id, channel } }: { of: Transactional }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  const read = useRead<Metrics>(`/transactionals/${id}/metrics`);
  const search = { source_id: id };
  return (
    <Section title={t("figures")}>
      <Answer of={read} loading={<Loading rows={2} />}>
        {(numbers) => (
          <>
            <dl className={`${css.figures} numbers`}>
              {shown[channel].map((name) => (
                <div key={name}>
                  <dt>{t(`count_${name}`)}</dt>
                  <dd>
                    <Behind value={numbers[name]} of={{ source_id: id, metric: name }} label={t(`count_${name}`)} />
                    {name !== "sent" && name !== "failed" && numbers.sent > 0 && (
                      <span className="quiet"> {format.percent(numbers[name] / numbers.sent)}</span>
                    )}
                  </dd>
                </div>
              ))}
            </dl>
            {numbers.failed + numbers.bounced > 0 && <FailureReasons room="transactionals" id={id} />}
          </>
        )}
      </Answer>
      <p className={css.ways}>
        <Link to="/w/$workspace/deliveries" params={{ workspace }} search={search}>
          {t("deliveries")}
        </Link>
        <Link to="/w/$workspace/activity" params={{ workspace }} search={search}>
          {t("activity")}
        </Link>
        <Link to="/w/$workspace/analytics" params={{ workspace }} search={{ source: "transactional", source_id: id }}>
          {t("analytics")}
        </Link>
      </p>
    </Section>
  );
}
