import { Modal, TextInput, UnstyledButton } from "@mantine/core";
import { type KeyboardEvent, useRef, useState } from "react";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import { iconOfKind } from "../canvas/icons.ts";
import type { Kind } from "../model/ids.ts";
import { texts as words } from "../words/texts.ts";
import css from "./editor.module.css";
import { texts } from "./texts.ts";

const GROUPS = [
  ["messages", ["email", "push", "sms", "in_app"]],
  ["waits", ["wait", "wait_until", "wait_window"]],
  ["ways", ["branch", "split", "batch", "throttle", "exit"]],
  ["actions", ["update", "list", "webhook", "start"]],
] as const satisfies readonly (readonly [string, readonly Kind[]])[];

const MESSAGES = new Set<Kind>(["email", "push", "sms", "in_app"]);
const nameOf = (kind: Kind) => (MESSAGES.has(kind) ? (`message_${kind}` as const) : kind) as keyof typeof words;

/** Asks which step is added. A part of its name finds it; Enter takes the first one. */
export function AddStep({
  onPut,
  onClose,
  inApp,
}: {
  onPut: (kind: Kind) => void;
  onClose: () => void;
  inApp: boolean;
}) {
  const t = useTexts(texts);
  const say = useTexts(words);
  const [sought, setSought] = useState("");
  const list = useRef<HTMLDivElement>(null);
  const isFound = (kind: Kind) =>
    (kind !== "in_app" || inApp) &&
    `${say(nameOf(kind))} ${t(`kind_${kind}`)}`.toLowerCase().includes(sought.trim().toLowerCase());
  const groups = GROUPS.map(([name, kinds]) => [name, kinds.filter(isFound)] as const).filter(
    ([, kinds]) => kinds.length > 0,
  );
  const first = groups[0]?.[1][0];
  const press = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const buttons = [...(list.current?.querySelectorAll("button") ?? [])];
    if (!by || buttons.length === 0) return;
    event.preventDefault();
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    buttons[Math.min(buttons.length - 1, Math.max(0, at + by))]?.focus();
  };
  return (
    <Modal opened onClose={onClose} title={t("addStep")} size="lg" returnFocus={false} zIndex={260}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows go from button to button */}
      <div onKeyDown={press}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            event.stopPropagation();
            if (first) onPut(first);
          }}
        >
          <TextInput
            aria-label={t("findStep")}
            placeholder={t("findStep")}
            value={sought}
            onChange={(event) => setSought(event.currentTarget.value)}
            leftSection={<Icon name="search" />}
            // With the dialog, and not a moment later: who types on would choose the first kind of all, or change the journey behind it.
            autoFocus
            data-autofocus
          />
        </form>
        <div ref={list} className={css.kinds}>
          {groups.map(([name, kinds]) => (
            <fieldset key={name} className={css.kindGroup}>
              <legend className={css.kindTitle}>{t(name)}</legend>
              <div className={css.kindList}>
                {kinds.map((kind) => (
                  <UnstyledButton key={kind} className={css.kind ?? ""} onClick={() => onPut(kind)}>
                    <Icon name={iconOfKind(kind)} />
                    <span>
                      <strong>{say(nameOf(kind))}</strong>
                      <span className={`${css.kindHint} quiet`}>{t(`kind_${kind}`)}</span>
                    </span>
                  </UnstyledButton>
                ))}
              </div>
            </fieldset>
          ))}
          {!first && <p className="quiet">{t("noKind")}</p>}
        </div>
      </div>
    </Modal>
  );
}
