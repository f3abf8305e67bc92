import type { Series } from "@tidings/contract/facts/analytics";
import type { Health as HealthShape } from "@tidings/contract/messages/outbound";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useRead } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Section, type Tone } from "../platform/look/parts.tsx";
import css from "./home.module.css";
import { texts } from "./texts.ts";

/** The stream does not tell that a queue waits, that a provider rests, or that the time of a message has come. */
const LOOK_MS = 10_000;
/** A database that answers later than this makes everything else late. */
const SLOW_MS = 250;
/** Messages wait a moment before they go out: only longer is worth a look. */
const LATE_MS = 60_000;

type Found = ReturnType<typeof useHealth>;
const useHealth = () => useRead<HealthShape>("/health", {}, { everyMs: LOOK_MS });

/** Whether anything needs attention now: the service and its database, the providers, what waits, and what failed. */
export function Health() {
  const t = useTexts(texts);
  const health = useHealth();
  return (
    <Section title={t("health")}>
      <dl className={css.strip}>
        <Service />
        <Database health={health} />
        <Providers health={health} />
        <Waiting health={health} />
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
        <span>{children}</span>
      </dd>
    </div>
  );
}

/** What is not known: it is being read, or could not be read. */
function Unknown({ name, of }: { name: string; of: { isError: boolean } }) {
  const t = useTexts(texts);
  return (
    <Fact name={name} tone={of.isError ? "bad" : "plain"}>
      {of.isError ? t("unknown") : "…"}
    </Fact>
  );
}

function Service() {
  const t = useTexts(texts);
  const ready = useQuery({
    queryKey: ["readyz"],
    queryFn: async () => (await fetch("/readyz")).ok,
    refetchInterval: LOOK_MS,
    retry: false,
  });
  if (ready.data === undefined) return <Unknown name={t("service")} of={ready} />;
  return (
    <Fact name={t("service")} tone={ready.data ? "good" : "bad"}>
      {ready.data ? t("ready") : t("notReady")}
    </Fact>
  );
}

function Database({ health }: { health: Found }) {
  const t = useTexts(texts);
  if (!health.data) return <Unknown name={t("database")} of={health} />;
  const { answered_ms: ms, accepts_writes: writes } = health.data.database;
  if (!writes)
    return (
      <Fact name={t("database")} tone="bad">
        {t("readOnly")}
      </Fact>
    );
  return (
    <Fact name={t("database")} tone={ms > SLOW_MS ? "warn" : "good"}>
      {t("answers", { ms })}
    </Fact>
  );
}

function Providers({ health }: { health: Found }) {
  const t = useTexts(texts);
  if (!health.data) return <Unknown name={t("providers")} of={health} />;
  const { ok, resting, slow } = health.data.providers;
  if (ok + resting + slow === 0)
    return (
      <Fact name={t("providers")} tone="plain">
        {t("providersNone")}
      </Fact>
    );
  const said = [
    resting > 0 && t("providersResting", { count: resting }),
    slow > 0 && t("providersSlow", { count: slow }),
    ok > 0 && t("providersOk", { count: ok }),
  ];
  return (
    <Fact name={t("providers")} tone={resting + slow > 0 ? "warn" : "good"}>
      {said.filter(Boolean).join(", ")}
    </Fact>
  );
}

function Waiting({ health }: { health: Found }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  if (!health.data) return <Unknown name={t("waiting")} of={health} />;
  const { queues, exact } = health.data;
  const [oldest] = queues.map(({ oldest_due_at }) => oldest_due_at).toSorted();
  if (!oldest)
    return (
      <Fact name={t("waiting")} tone={exact ? "good" : "warn"}>
        {t(exact ? "waitingNone" : "waitingUncounted")}
      </Fact>
    );
  const late = Date.now() - Date.parse(oldest) > LATE_MS;
  return (
    <Fact name={t("waiting")} tone={late ? "warn" : "good"}>
      {queues.map(({ channel, waiting }, i) => (
        <span key={channel}>
          {i > 0 && ", "}
          <Link to="/w/$workspace/deliveries" params={{ workspace }} search={{ status: "queued", channel }}>
            {t(`waiting_${channel}`, { count: waiting, number: `${format.number(waiting)}${exact ? "" : "+"}` })}
          </Link>
        </span>
      ))}
      <span className={css.since}>{t("waitingSince", { time: format.ago(oldest) })}</span>
    </Fact>
  );
}

function Failures() {
  const t = useTexts(texts);
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  const from = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - 23 * 3_600_000).toISOString();
  const read = useRead<Series>("/analytics", { bucket: "hour", from });
  if (!read.data) return <Unknown name={t("failures")} of={read} />;
  const { totals, from: since, to } = read.data;
  return (
    <Fact name={t("failures")} tone={totals.failed > 0 ? "bad" : "good"}>
      {totals.failed > 0 ? (
        <Link
          to="/w/$workspace/deliveries"
          params={{ workspace }}
          search={{ metric: "failed", from: since, to }}
          aria-label={t("failuresOpen", { count: totals.failed })}
        >
          {format.number(totals.failed)}
        </Link>
      ) : (
        "0"
      )}
    </Fact>
  );
}
