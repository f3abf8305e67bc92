import { Kbd, Modal } from "@mantine/core";
import { Fragment } from "react";
import { useTexts } from "../platform/language/texts.ts";
import { useCloseButton } from "../platform/look/side-drawer.tsx";
import css from "./sheet.module.css";
import { texts } from "./texts.ts";
import type { Command } from "./use-commands.ts";

interface SheetProps {
  opened: boolean;
  onClose: () => void;
  commands: Command[];
}

/** All keys, shown by "?". */
export function ShortcutsSheet({ opened, onClose, commands }: SheetProps) {
  const t = useTexts(texts);
  const groups = [
    {
      title: t("anywhere"),
      keys: [["Ctrl K", t("search")], ...commands.map(({ keys, label }) => [keys, label])],
    },
    {
      title: t("lists"),
      keys: [
        ["/", t("focusSearch")],
        ["↓ ↑", t("upDown")],
        ["Enter", t("open")],
        ["Esc", t("close")],
      ],
    },
  ];
  return (
    <Modal opened={opened} onClose={onClose} title={t("shortcuts")} {...useCloseButton()}>
      {groups.map(({ title, keys }) => (
        <section key={title} className={css.group}>
          <h2 className={css.title}>{title}</h2>
          <dl className={css.keys}>
            {keys.map(([key = "", what]) => (
              <Fragment key={key}>
                <dt>
                  {key.split(" ").map((part, i) => (
                    <Fragment key={part}>
                      {i > 0 && " "}
                      <Kbd size="xs">{part}</Kbd>
                    </Fragment>
                  ))}
                </dt>
                <dd>{what}</dd>
              </Fragment>
            ))}
          </dl>
        </section>
      ))}
    </Modal>
  );
}
