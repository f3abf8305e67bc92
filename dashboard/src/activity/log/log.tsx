import { Button, Tooltip } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";
import { useStreamState } from "../../live/live.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { NoRows } from "../../platform/list/more.tsx";
import { changedSearch } from "../../platform/list/search.ts";
import { Icon } from "../../platform/look/icons.tsx";
import { Rows } from "../../platform/rows.tsx";
import { Answer, Empty, Loading } from "../../platform/states/states.tsx";
import { Page } from "../../platform/trail.tsx";
import { useSourceNames } from "../filters/sources.ts";
import type { FeedEntry } from "./feed.ts";
import { LogEntry } from "./entry.tsx";
import { LogFilterBar } from "./filter-bar.tsx";
import type { LogFilters } from "./filters.ts";
import css from "./log.module.css";
import { logTexts } from "./texts.ts";
import { useFeed } from "./use-feed.ts";

const route = getRouteApi("/w/$workspace/activity");
const NARROW = "(max-width: 720px)";
const idOf = ({ id }: FeedEntry) => id;

/** What happens in the workspace, as it happens, and what happened before. It holds still while somebody reads. */
export function Log() {
  const t = useTexts(logTexts);
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const { still, paused, setPaused, place } = useStill();
  const list = useFeed(filters, still);
  const names = useSourceNames();
  const height = window.matchMedia(NARROW).matches ? 60 : 40;
  const change = useCallback(
    (changed: { [K in keyof LogFilters]: LogFilters[K] | undefined }) =>
      void navigate({
        search: (before) => changedSearch(before, changed),
        replace: true,
      }),
    [navigate],
  );
  const toNewest = () => {
    setPaused(false);
    document.getElementById("content")?.scrollTo({ top: 0 });
    place.current?.blur();
  };
  const { rows, waiting, gap } = list.feed;
  return (
    <Page title={t("activity")} lead={t("lead")} wide actions={<Pause paused={paused} onChange={setPaused} />}>
      <LogFilterBar filters={filters} onChange={change} onClear={() => void navigate({ search: {} })} />
      <div className={css.newer}>
        {(waiting.length > 0 || gap) && still && (
          <Button size="compact-sm" radius="xl" onClick={toNewest} leftSection={<Icon name="up" size={14} />}>
            {gap ? t("many") : t("newer", { count: waiting.length })}
          </Button>
        )}
      </div>
      <Answer of={list} loading={<Loading rows={10} />}>
        {() =>
          rows.length === 0 && !list.hasNextPage ? (
            <NoRows
              filtered={Object.keys(filters).length > 0}
              title={t("noMatch")}
              body={t("noMatchBody")}
              onClear={() => void navigate({ search: {} })}
            >
              <Empty icon="pulse" title={t("none")}>
                {t("noneBody")}
              </Empty>
            </NoRows>
          ) : (
            <div ref={place} data-still={still}>
              <Rows rows={rows} list={list} idOf={idOf} label={t("activity")} height={height}>
                {(entry) => <LogEntry entry={entry} names={names} />}
              </Rows>
              {rows.length === 0 && <p className="quiet">{t("looking")}</p>}
            </div>
          )
        }
      </Answer>
    </Page>
  );
}

/** Whether entries come by themselves, and the button that stops them. */
function Pause({ paused, onChange }: { paused: boolean; onChange: (paused: boolean) => void }) {
  const t = useTexts(logTexts);
  const state = useStreamState();
  const tone = state !== "open" ? "warn" : paused ? "plain" : "good";
  const says =
    state === "waiting" ? t("connecting") : state === "refused" ? t("refused") : t(paused ? "paused" : "live");
  return (
    <>
      <span className={css.state} role="status">
        <span className={css.dot} data-tone={tone} aria-hidden="true" />
        {says}
      </span>
      <Tooltip label={t("pauseHint")}>
        <Button
          variant="default"
          aria-pressed={paused}
          onClick={() => onChange(!paused)}
          leftSection={<Icon name={paused ? "play" : "pause"} size={14} />}
        >
          {t(paused ? "resume" : "pause")}
        </Button>
      </Tooltip>
    </>
  );
}

/** The rows must not move while they are paused, pointed at, in focus, or scrolled. */
function useStill() {
  const place = useRef<HTMLDivElement>(null);
  const [paused, setPaused] = useState(false);
  const [read, setRead] = useState(false);
  useEffect(() => {
    const content = document.getElementById("content");
    const look = () => {
      const at = place.current;
      setRead(
        (content?.scrollTop ?? 0) > 4 || Boolean(at && (at.matches(":hover") || at.contains(document.activeElement))),
      );
    };
    const kinds = ["pointerover", "pointerleave", "focusin", "focusout", "scroll"] as const;
    // After the focus has gone to where it goes.
    const soon = () => void requestAnimationFrame(look);
    for (const kind of kinds) content?.addEventListener(kind, soon, { passive: true });
    return () => {
      for (const kind of kinds) content?.removeEventListener(kind, soon);
    };
  }, []);
  return { still: paused || read, paused, setPaused, place };
}
