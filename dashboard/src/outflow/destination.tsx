import { getRouteApi } from "@tanstack/react-router";
import { useRead } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Badge, Facts, Note, Section } from "../platform/look/parts.tsx";
import { Copy } from "../platform/states/copy.tsx";
import { Answer, Loading } from "../platform/states/states.tsx";
import { Page } from "../platform/trail.tsx";
import { Actions } from "./actions.tsx";
import { type Destination as Shape, type State, type Stream, stateTone } from "./destination.ts";
import { LOOK_MS } from "./destinations.tsx";
import css from "./outflow.module.css";
import { texts } from "./texts.ts";

const route = getRouteApi("/w/$workspace/export-destinations/$destination");

/** One destination: where it is, how far each of its tables is, and why it fails. */
export function Destination() {
  const t = useTexts(texts);
  const { destination: id } = route.useParams();
  const { id: workspace } = useWorkspace();
  const path = `/export-destinations/${encodeURIComponent(id)}`;
  const read = useRead<Shape>(path);
  const state = useRead<State>(`${path}/state`, {}, { everyMs: LOOK_MS });
  const link = { to: "/w/$workspace/export-destinations", params: { workspace } } as const;
  const above = [{ text: t("destinations"), link }];
  if (!read.data)
    return (
      <Page title={t("destination")} above={above}>
        <Answer of={read} loading={<Loading rows={8} />}>
          {() => null}
        </Answer>
      </Page>
    );
  return (
    <Page title={read.data.name} above={above} actions={<Actions destination={read.data} />}>
      <About destination={read.data} state={state.data} />
      <Section title={t("howFar")}>
        <Answer of={state} loading={<Loading rows={3} />}>
          {({ streams }) => (
            <div className={css.streams}>
              {streams.map((stream) => (
                <OneStream key={stream.table} stream={stream} />
              ))}
            </div>
          )}
        </Answer>
      </Section>
    </Page>
  );
}

function About({ destination, state }: { destination: Shape; state: State | undefined }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { id, kind, settings, interval_seconds: seconds, enabled } = destination;
  const shown = Object.entries(settings as Record<string, string>).map(([name, value]) =>
    name === "format" ? [name, value === "parquet" ? "Parquet" : t("ndjson")] : [name, value],
  );
  return (
    <>
      {!enabled && <Note tone="warn">{t("pausedNote")}</Note>}
      <Facts
        of={[
          [
            t("status"),
            state && (
              <Badge key="status" tone={stateTone[state.status]}>
                {t(state.status)}
              </Badge>
            ),
          ],
          [t("kind"), t(kind)],
          ...shown.map(([name, value]) => [t(`settings/${name}` as "settings/bucket"), value] as const),
          [t("interval"), format.length(seconds * 1_000)],
          [
            t("id"),
            <>
              <code className="cut">{id}</code>
              <Copy value={id} what={t("id")} />
            </>,
          ],
        ]}
      />
    </>
  );
}

function OneStream({ stream }: { stream: Stream }) {
  const t = useTexts(texts);
  const format = useFormat();
  const {
    table,
    phase,
    lag_seconds: lag,
    rows_sent,
    batches_sent,
    last_sent_at,
    failing_since,
    last_error,
    gap,
  } = stream;
  return (
    <section className={css.stream} aria-label={t(table)}>
      <h3 className={css.streamTitle}>{t(table)}</h3>
      {failing_since && (
        <Note tone="bad">
          {t("failingSince", { time: format.instant(failing_since) })} {last_error && <q>{last_error}</q>}
        </Note>
      )}
      {gap && <Note tone="warn">{t("gap", { from: format.instant(gap.from), until: format.instant(gap.until) })}</Note>}
      <Facts
        of={[
          [t("behind"), phase === "old" ? t("readsOld") : lag !== null && format.length(Math.round(lag * 1_000))],
          [
            t("rows"),
            <span key="rows" className="numbers">
              {format.number(rows_sent)}
            </span>,
          ],
          [
            t("batches"),
            <span key="batches" className="numbers">
              {format.number(batches_sent)}
            </span>,
          ],
          [t("lastSent"), last_sent_at ? format.ago(last_sent_at) : t("never")],
        ]}
      />
    </section>
  );
}
