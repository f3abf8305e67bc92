import { ActionIcon, Popover, Progress, UnstyledButton } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import { texts } from "./texts.ts";
import css from "./tray.module.css";
import { useWorks } from "./use-works.ts";
import { isPaused, isRunning, leftOf, shareOf, type Work } from "./work.ts";

/** In the bar at the top, while something takes long: how far it is, and a list of it. */
export function Tray() {
  const t = useTexts(texts);
  const { works, dismiss } = useWorks();
  const [opened, setOpened] = useState(false);
  if (works.length === 0) return null;
  const running = works.filter(isRunning);
  const shares = running.map((work) => shareOf(work) ?? 0);
  const share = shares.reduce((sum, one) => sum + one, 0) / shares.length;
  const says =
    running.length > 0 ? t("running", { count: running.length }) : t(works.some(isPaused) ? "paused" : "allDone");
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={340} shadow="md" trapFocus>
      <Popover.Target>
        <UnstyledButton className={css.button ?? ""} onClick={() => setOpened(!opened)} aria-label={says}>
          <Icon name={running.length > 0 ? "clock" : works.some(isPaused) ? "pause" : "check"} size={14} />
          <span className={css.says}>{says}</span>
          {running.length > 0 && <Progress value={share * 100} size={3} className={css.thin ?? ""} aria-hidden />}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("title")} className={css.drop ?? ""}>
        <ul className={css.list}>
          {works.map((work) => (
            <li key={work.id}>
              <OneWork work={work} onDismiss={() => dismiss(work.id)} onLeave={() => setOpened(false)} />
            </li>
          ))}
        </ul>
        {running.length > 0 && <p className={`${css.stays} quiet`}>{t("stays")}</p>}
      </Popover.Dropdown>
    </Popover>
  );
}

interface OneWorkProps {
  work: Work;
  onDismiss: () => void;
  onLeave: () => void;
}

function OneWork({ work, onDismiss, onLeave }: OneWorkProps) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const name = useName(work);
  const share = shareOf(work);
  const tone = work.state === "failed" || work.state === "cut_off" ? "red" : isPaused(work) ? "gray" : undefined;
  return (
    <div className={css.work}>
      <div className={css.head}>
        <span className={`${css.name} cut`}>
          <Link
            {...roomOf(work)}
            params={{ workspace, id: work.target ?? work.id, webhook: work.id }}
            onClick={onLeave}
          >
            {name}
          </Link>
        </span>
        {!isRunning(work) && !isPaused(work) && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            onClick={onDismiss}
            aria-label={`${t("dismiss")}: ${name}`}
          >
            <Icon name="close" size={14} />
          </ActionIcon>
        )}
      </div>
      <Progress.Root size={6}>
        <Progress.Section
          value={(share ?? 0) * 100}
          {...(tone && { color: tone })}
          aria-label={t("progress", { name })}
          withAria
        />
      </Progress.Root>
      <HowFar work={work} />
    </div>
  );
}

const roomOf = ({ type, target }: Work) => {
  if (type === "broadcasts") return { to: "/w/$workspace/broadcasts/$id" } as const;
  if (type === "campaigns") return { to: "/w/$workspace/campaigns/$id" } as const;
  if (type === "webhooks") return { to: "/w/$workspace/webhooks/$webhook" } as const;
  return { to: target === null ? "/w/$workspace/suppressions" : "/w/$workspace/audiences/$id" } as const;
};

function useName({ type, name }: Work): string {
  const t = useTexts(texts);
  if (type === "imports") return t(name as "audience" | "suppressions");
  return type === "webhooks" ? t("replay", { host: new URL(name).host }) : name;
}

/** In words: "Sending · 41,500 of 90,000 · about 2 min left". */
function HowFar({ work }: { work: Work }) {
  const t = useTexts(texts);
  const format = useFormat();
  const now = useNow(isRunning(work));
  const left = leftOf(work, now);
  const say = (value: number) => (work.type === "imports" ? format.bytes(value) : format.number(value));
  const parts = [
    // Of these the name says what is done.
    isRunning(work) && (work.type === "imports" || work.type === "webhooks") ? undefined : t(work.state as "sending"),
    // The seconds of the log that were read say nothing to a person.
    work.type === "webhooks"
      ? format.percent(shareOf(work) ?? 0)
      : work.total === null
        ? t("soFar", { done: say(work.done) })
        : t("of", { done: say(work.done), total: say(work.total) }),
    left !== undefined && (left < 5 ? t("seconds") : t("left", { time: format.length(left * 1_000) })),
  ];
  return <div className="quiet numbers">{parts.filter(Boolean).join(" · ")}</div>;
}

function useNow(moves: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!moves) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [moves]);
  return now;
}
