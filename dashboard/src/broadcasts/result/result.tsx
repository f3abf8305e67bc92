import { Link } from "@tanstack/react-router";
import type { MetricsByVariant } from "@tidings/contract/facts/activity";
import { useState } from "react";
import type { Static } from "typebox";
import { FailureReasons } from "../../activity/failure/failure-reasons.tsx";
import { useRead } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { AsCall } from "../../platform/code/as-call.tsx";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Note, Section } from "../../platform/look/parts.tsx";
import { Answer, Loading } from "../../platform/states/states.tsx";
import { type Broadcast, isRunning, pathOf } from "../broadcast.ts";
import css from "../broadcasts.module.css";
import { Preview } from "../preview/preview.tsx";
import { About } from "./about.tsx";
import { Compared } from "./compared.tsx";
import { Funnel } from "./funnel.tsx";
import { Progress } from "./progress.tsx";
import { texts } from "./texts.ts";

/** A broadcast that has begun: how far it is, what became of it, and what people got. */
export function Result({ broadcast, etag }: { broadcast: Broadcast; etag: string | undefined }) {
  const t = useTexts(texts);
  const { id, status, variants } = broadcast;
  const path = pathOf(id);
  const metrics = useRead<Static<typeof MetricsByVariant>>(`${path}/metrics`);
  const first = useRead<{ data: { person_id: string | null }[] }>("/deliveries", { source_id: id, limit: 1 });
  const [person, setPerson] = useState<string>();
  return (
    <>
      {isRunning(status) && <Progress broadcast={broadcast} />}
      <Ended broadcast={broadcast} />
      <Section title={t("result")} aside={<Links id={id} />}>
        <Answer of={metrics} loading={<Loading rows={5} height={28} />}>
          {(numbers) => (
            <>
              <Funnel broadcast={broadcast} numbers={numbers} />
              {numbers.failed + numbers.bounced > 0 && <FailureReasons room="broadcasts" id={id} />}
              {variants && numbers.variants && <Compared broadcast={broadcast} numbers={numbers.variants} />}
            </>
          )}
        </Answer>
      </Section>
      <Preview
        broadcast={broadcast}
        etag={etag}
        person={person ?? first.data?.data[0]?.person_id ?? ""}
        onPerson={setPerson}
      />
      <About broadcast={broadcast} />
      <AsCall of={{ method: "GET", path: `/api/v1${path}/metrics`, node: "broadcasts.metrics", ids: [id] }} />
    </>
  );
}

/** Why it is over, where it did not simply reach everybody. */
function Ended({ broadcast: { status, reason, progress, recalled_at: recalled } }: { broadcast: Broadcast }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { total, done } = progress;
  return (
    <>
      {status === "failed" && <Note tone="bad">{t("failedNote", { reason: reason ?? "" })}</Note>}
      {status === "sent" && reason === "audience_empty" && <Note tone="warn">{t("audience_empty")}</Note>}
      {status === "canceled" && (
        <Note tone="warn">{done > 0 && total !== null ? t("canceledNote", { done, total }) : t("canceledBefore")}</Note>
      )}
      {recalled && <Note tone="warn">{t("recalledNote", { time: format.ago(recalled) })}</Note>}
    </>
  );
}

function Links({ id }: { id: string }) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const search = { source_id: id };
  return (
    <span className={css.links}>
      <Link to="/w/$workspace/deliveries" params={{ workspace }} search={search}>
        {t("deliveries")}
      </Link>
      <Link to="/w/$workspace/activity" params={{ workspace }} search={search}>
        {t("activity")}
      </Link>
      <Link to="/w/$workspace/analytics" params={{ workspace }} search={{ ...search, source: "broadcast" }}>
        {t("overTime")}
      </Link>
    </span>
  );
}
