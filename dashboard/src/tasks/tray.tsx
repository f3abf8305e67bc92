import { ActionIcon, Popover, Progress, UnstyledButton } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import { texts } from "./texts.ts";
import css from "./tray.module.css";
import { useTasks } from "./use-tasks.ts";
import { isPaused, isRunning, leftOf, shareOf, type Task } from "./task.ts";

/** In the bar at the top, while something takes long: how far it is, and a list of it. */
export function Tray() {
  const t = useTexts(texts);
  const { tasks, dismiss } = useTasks();
  const [opened, setOpened] = useState(false);
  if (tasks.length === 0) return null;
  const running = tasks.filter(isRunning);
  const shares = running.map((task) => shareOf(task) ?? 0);
  const share = shares.reduce((sum, one) => sum + one, 0) / shares.length;
  const says =
    running.length > 0 ? t("running", { count: running.length }) : t(tasks.some(isPaused) ? "paused" : "allDone");
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={340} shadow="md" trapFocus>
      <Popover.Target>
        <UnstyledButton className={css.button ?? ""} onClick={() => setOpened(!opened)} aria-label={says}>
          <Icon name={running.length > 0 ? "clock" : tasks.some(isPaused) ? "pause" : "check"} size={14} />
          <span className={css.says}>{says}</span>
          {running.length > 0 && <Progress value={share * 100} size={3} className={css.thin ?? ""} aria-hidden />}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("title")} className={css.drop ?? ""}>
        <ul className={css.list}>
          {tasks.map((task) => (
            <li key={task.id}>
              <OneTask task={task} onDismiss={() => dismiss(task.id)} onLeave={() => setOpened(false)} />
            </li>
          ))}
        </ul>
        {running.length > 0 && <p className={`${css.stays} quiet`}>{t("stays")}</p>}
      </Popover.Dropdown>
    </Popover>
  );
}

interface OneTaskProps {
  task: Task;
  onDismiss: () => void;
  onLeave: () => void;
}

function OneTask({ task, onDismiss, onLeave }: OneTaskProps) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const name = useName(task);
  const share = shareOf(task);
  const tone = task.state === "failed" || task.state === "cut_off" ? "red" : isPaused(task) ? "gray" : undefined;
  return (
    <div className={css.task}>
      <div className={css.head}>
        <span className={`${css.name} cut`}>
          <Link
            {...roomOf(task)}
            params={{ workspace, id: task.target ?? task.id, webhook: task.id }}
            onClick={onLeave}
          >
            {name}
          </Link>
        </span>
        {!isRunning(task) && !isPaused(task) && (
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
      <HowFar task={task} />
    </div>
  );
}

const roomOf = ({ type, target }: Task) => {
  if (type === "broadcasts") return { to: "/w/$workspace/broadcasts/$id" } as const;
  if (type === "campaigns") return { to: "/w/$workspace/campaigns/$id" } as const;
  if (type === "webhooks") return { to: "/w/$workspace/webhooks/$webhook" } as const;
  return { to: target === null ? "/w/$workspace/suppressions" : "/w/$workspace/audiences/$id" } as const;
};

function useName({ type, name }: Task): string {
  const t = useTexts(texts);
  if (type === "imports") return t(name as "audience" | "suppressions");
  return type === "webhooks" ? t("replay", { host: new URL(name).host }) : name;
}

/** In words: "Sending · 41,500 of 90,000 · about 2 min left". */
function HowFar({ task }: { task: Task }) {
  const t = useTexts(texts);
  const format = useFormat();
  const now = useNow(isRunning(task));
  const left = leftOf(task, now);
  const say = (value: number) => (task.type === "imports" ? format.bytes(value) : format.number(value));
  const parts = [
    // Of these the name says what is done.
    isRunning(task) && (task.type === "imports" || task.type === "webhooks") ? undefined : t(task.state as "sending"),
    // The seconds of the log that were read say nothing to a person.
    task.type === "webhooks"
      ? format.percent(shareOf(task) ?? 0)
      : task.total === null
        ? t("soFar", { done: say(task.done) })
        : t("of", { done: say(task.done), total: say(task.total) }),
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
