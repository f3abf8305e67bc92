import { Kbd, Modal } from "@mantine/core";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import type { Session } from "../members/session.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import css from "./sheet.module.css";
import { texts } from "./texts.ts";
import { useCommands } from "./use-commands.ts";

interface PaletteProps {
  session: Session;
  onClose: () => void;
  onShortcuts: () => void;
}

/** Ctrl K: every room, command, and a search for what is typed. */
export function Palette({ session, onClose, onShortcuts }: PaletteProps) {
  const t = useTexts(texts);
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const found = useCommands(session, text, onShortcuts);
  const id = useId();
  const chosen = Math.min(at, found.length - 1);
  const optionId = (i: number) => `${id}-${i}`;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the chosen option comes into view
  useEffect(() => document.getElementById(optionId(chosen))?.scrollIntoView({ block: "nearest" }), [chosen]);

  const run = (i: number) => {
    onClose();
    found[i]?.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setAt((chosen + step + found.length) % Math.max(found.length, 1));
    else if (event.key === "Enter") run(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      centered={false}
      yOffset="12dvh"
      size={560}
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
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        <div className={css.options} role="listbox" id={id} aria-label={t("commands")}>
          {found.map(({ label, icon, keys }, i) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field above
            <div
              key={label}
              id={optionId(i)}
              role="option"
              tabIndex={-1}
              aria-selected={i === chosen}
              className={css.option}
              onMouseMove={() => setAt(i)}
              onClick={() => run(i)}
            >
              <Icon name={icon} />
              <span className={`${css.optionText} cut`}>{label}</span>
              {keys?.split(" ").map((key) => (
                <Kbd size="xs" key={key}>
                  {key}
                </Kbd>
              ))}
            </div>
          ))}
          {found.length === 0 && <div className={css.none}>{t("nothing")}</div>}
        </div>
      </div>
    </Modal>
  );
}
