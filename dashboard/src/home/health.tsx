import type { Provider } from "@tidings/contract/messages/outbound";
import type { Series } from "@tidings/contract/facts/analytics";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Static } from "typebox";
import type { Delivery } from "../activity/delivery.ts";
import { useRead } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Section, type Tone } from "../platform/look/parts.tsx";
import css from "./home.module.css";
import { texts } from "./texts.ts";

/** How old these may be while one looks at them. */
const LOOK_MS = 10_000;

/** Whether anything needs attention now: the service, the providers, what waits, and what failed. */
export function Health() {
  const t = useTexts(texts);
  return (
    <Section title={t("health")}>
      <dl className={css.strip}>
        <Service />
        <Providers />
        <Waiting />
        <Failures />
      </dl>
    </Section>
  );
}

function Fact({ name, tone, children }: { name: string; tone: Tone; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span className={css.dot} data-tone={tone} aria-hidden="true" />
        {children}
      </dd>
    </div>
  );
}

function Service() {
  const t = useTexts(texts);
  const { data } = useQuery({
    queryKey: ["readyz"],
    queryFn: async () => (await fetch("/readyz")).ok,
    refetchInterval: LOOK_MS,
    retry: false,
  });
  const tone = data === undefined ? "plain" : data ? "good" : "bad";
  return (
    <Fact name={t("service")} tone={tone}>
      {data === undefined ? "…" : data ? t("ready") : t("notReady")}
    </Fact>
  );
}

function Providers() {
  const t = useTexts(texts);
  const { data } = useRead<{ data: Static<typeof Provider>[] }>("/providers", { limit: 200 }, { everyMs: LOOK_MS });
  const real = data?.data.filter(({ kind }) => kind !== "local");
  const resting = real?.filter(({ state }) => state.status !== "ok").length ?? 0;
  if (!real)
    return (
      <Fact name={t("providers")} tone="plain">
        …
      </Fact>
    );
  if (real.length === 0)
    return (
      <Fact name={t("providers")} tone="plain">
        {t("providersNone")}
      </Fact>
    );
  return (
    <Fact name={t("providers")} tone={resting > 0 ? "warn" : "good"}>
      {resting > 0 ? t("providersResting", { count: resting }) : t("providersOk", { count: real.length })}
    </Fact>
  );
}

function Waiting() {
  const t = useTexts(texts);
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  // Only what is handed to providers: an in-app message waits for its person.
  const queued = (channel: string) => ({ status: "queued", channel, limit: 200 });
  const reads = [
    useRead<{ data: Delivery[] }>("/deliveries", queued("email"), { everyMs: LOOK_MS }),
    useRead<{ data: Delivery[] }>("/deliveries", queued("push"), { everyMs: LOOK_MS }),
    useRead<{ data: Delivery[] }>("/deliveries", queued("sms"), { everyMs: LOOK_MS }),
  ];
  const known = reads.every(({ data }) => data);
  const due = reads
    .flatMap(({ data }) => data?.data ?? [])
    .map(({ due_at, queued_at }) => due_at ?? queued_at)
    .filter((at) => Date.parse(at) <= Date.now())
    .toSorted();
  const [oldest] = due;
  return (
    <Fact name={t("waiting")} tone={!known ? "plain" : oldest ? "warn" : "good"}>
      {!known ? (
        "…"
      ) : oldest ? (
        <Link to="/w/$workspace/deliveries" params={{ workspace }} search={{ status: "queued" }}>
          {t("waitingSince", { time: format.ago(oldest) })}
        </Link>
      ) : (
        t("waitingNone")
      )}
    </Fact>
  );
}

function Failures() {
  const t = useTexts(texts);
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  const from = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - 86_400_000).toISOString();
  const { data } = useRead<Series>("/analytics", { bucket: "hour", from }, { everyMs: 6 * LOOK_MS });
  const failed = data?.totals.failed ?? 0;
  return (
    <Fact name={t("failures")} tone={!data ? "plain" : failed > 0 ? "bad" : "good"}>
      {failed > 0 ? (
        <Link to="/w/$workspace/deliveries" params={{ workspace }} search={{ status: "failed", period: "day" }}>
          {format.number(failed)}
        </Link>
      ) : data ? (
        "0"
      ) : (
        "…"
      )}
    </Fact>
  );
}
