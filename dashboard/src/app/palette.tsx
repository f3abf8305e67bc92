import { Kbd, Modal } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from "react";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Icon, type IconName } from "../platform/look/icons.tsx";
import { recents, remember } from "../platform/recent.ts";
import { searchTexts } from "../search/texts.ts";
import { type Found, useSearch } from "../search/use-search.ts";
import { rooms } from "./rooms.ts";
import css from "./sheet.module.css";
import { texts } from "./texts.ts";
import type { Command } from "./use-commands.ts";

interface Option {
  id: string;
  label: string;
  detail?: string;
  icon: IconName;
  keys?: string;
  run: () => void;
}
interface Group {
  title: string;
  options: Option[];
}

const hasRoom = (path: string) => rooms.some(({ to }) => to === `/w/$workspace/${path}`);

/** Ctrl K: what was opened last, every room and command, and everything of the workspace that matches what is typed. */
export function Palette({ commands, onClose }: { commands: Command[]; onClose: () => void }) {
  const t = useTexts(texts);
  const [text, setText] = useState("");
  const [at, setAt] = useState<string>();
  const { groups, searching, failed } = useGroups(text, commands);
  const options = groups.flatMap((group) => group.options);
  const id = useId();
  // By its name: what is found later may come above it.
  const chosen = Math.max(
    options.findIndex((option) => option.id === at),
    0,
  );
  const optionId = (i: number) => `${id}-${i}`;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the chosen option comes into view
  useEffect(() => {
    // Newer browsers answer with a promise, which React would call as the end of the effect.
    document.getElementById(optionId(chosen))?.scrollIntoView({ block: "nearest" });
  }, [chosen]);

  const run = (option: Option | undefined) => {
    if (!option) return;
    onClose();
    option.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setAt(options[(chosen + step + options.length) % Math.max(options.length, 1)]?.id);
    else if (event.key === "Enter") run(options[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      padding={0}
      centered={false}
      yOffset="12dvh"
      size={600}
      transitionProps={{ duration: 0 }}
      attributes={{ content: { "aria-label": t("search") } }}
    >
      <div className={css.palette}>
        <input
          className={css.input}
          value={text}
          placeholder={t("search")}
          aria-label={t("search")}
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={optionId(chosen)}
          data-autofocus
          onChange={(event) => {
            setText(event.currentTarget.value);
            setAt(undefined);
          }}
          onKeyDown={onKeyDown}
        />
        <div className={css.options} role="listbox" id={id} aria-label={t("commands")}>
          <OptionGroups groups={groups} idOf={optionId} chosen={chosen} onPoint={setAt} onRun={run} />
          {options.length === 0 && !searching && <div className={css.none}>{t("nothing")}</div>}
        </div>
        <div className={css.foot} role="status">
          {searching ? t("searching") : failed ? t("someFailed") : ""}
        </div>
      </div>
    </Modal>
  );
}

interface OptionGroupsProps {
  groups: Group[];
  /** The id of the element of an option. They are counted through all groups, as `chosen` is. */
  idOf: (index: number) => string;
  chosen: number;
  onPoint: (id: string) => void;
  onRun: (option: Option) => void;
}

function OptionGroups({ groups, idOf, chosen, onPoint, onRun }: OptionGroupsProps) {
  let index = 0;
  return groups.map(({ title, options }) => (
    // biome-ignore lint/a11y/useSemanticElements: a group of options is no fieldset
    <div key={title} role="group" aria-label={title}>
      <div className={css.optionGroup} aria-hidden="true">
        {title}
      </div>
      {options.map((option) => {
        const i = index++;
        return (
          <OptionRow
            key={option.id}
            id={idOf(i)}
            option={option}
            chosen={i === chosen}
            onPoint={() => onPoint(option.id)}
            onRun={() => onRun(option)}
          />
        );
      })}
    </div>
  ));
}

interface OptionRowProps {
  id: string;
  option: Option;
  chosen: boolean;
  onPoint: () => void;
  onRun: () => void;
}

function OptionRow({ id, option: { label, detail, icon, keys }, chosen, onPoint, onRun }: OptionRowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field above
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={chosen}
      className={css.option}
      onMouseMove={onPoint}
      onClick={onRun}
    >
      <Icon name={icon} />
      <span className={`${css.optionText} cut`}>
        {label} {detail && <span className={css.detail}>{detail}</span>}
      </span>
      {keys?.split(" ").map((key) => (
        <Kbd size="xs" key={key}>
          {key}
        </Kbd>
      ))}
    </div>
  );
}

/** What matches, in groups: first what was opened before, then rooms and commands, then what the service finds. */
function useGroups(text: string, commands: Command[]) {
  const t = useTexts(texts);
  const say = useTexts(searchTexts);
  const navigate = useNavigate();
  const { id: workspace } = useWorkspace();
  const { groups: found, searching, failed } = useSearch(text, hasRoom);
  const before = useMemo(() => recents(workspace), [workspace]);
  const words = text.trim().toLowerCase().split(/\s+/);
  const matches = ({ label }: { label: string }) => words.every((word) => label.toLowerCase().includes(word));
  const optionOf = ({ href, label, icon, detail }: Omit<Found, "detail"> & { detail?: string }): Option => ({
    id: href,
    label,
    icon,
    ...(detail && { detail }),
    run() {
      remember(workspace, { href, label, icon });
      void navigate({ href });
    },
  });
  const lately = before.filter(matches).map(optionOf);
  const known = new Set(lately.map(({ id }) => id));
  const groups: Group[] = [
    { title: t("lately"), options: lately.slice(0, 5) },
    { title: t("commands"), options: commands.filter(matches) },
    ...found.map(({ group, found: rows }) => ({
      title: say(group),
      // Several of a kind may have the same page: the page of their room.
      options: rows
        .filter(({ href }) => !known.has(href))
        .map((one, i) => ({ ...optionOf(one), id: `${one.href} ${i}` })),
    })),
  ];
  const sought = text.trim();
  if (sought.length > 1 && !searching)
    groups.push({
      title: t("explain"),
      options: [
        {
          id: "explain",
          label: t("explainPerson", { text: sought }),
          icon: "question",
          run: () => void navigate({ to: "/w/$workspace/explain", params: { workspace }, search: { person: sought } }),
        },
      ],
    });
  return { groups: groups.filter(({ options }) => options.length > 0), searching, failed };
}
