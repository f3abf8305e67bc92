import { ActionIcon, Button, Menu, TextInput, Tooltip } from "@mantine/core";
import type { Editor } from "@tiptap/core";
import { type KeyboardEvent, useState } from "react";
import { useTexts } from "../../../platform/language/texts.ts";
import { Icon } from "../../../platform/look/icons.tsx";
import { linked } from "./linked.ts";
import css from "./rich-field.module.css";
import { texts } from "./texts.ts";

/** The buttons of a rich text field. */
export function RichToolbar({ editor, lists }: { editor: Editor; lists: boolean }) {
  const t = useTexts(texts);
  const [linking, setLinking] = useState(false);
  const toggle = (name: string) => {
    if (name === "link") setLinking(!linking);
    else if (/List$/.test(name)) editor.chain().focus().toggleList(name, "listItem").run();
    else editor.chain().focus().toggleMark(name).run();
  };
  const tools = [
    ["bold", "bold"],
    ["italic", "italic"],
    ["link", "link"],
    ...(lists
      ? ([
          ["bulletList", "bullets"],
          ["orderedList", "numbers"],
        ] as const)
      : []),
  ] as const;
  return (
    <>
      <div className={css.tools} role="toolbar" aria-label={t("tools")}>
        {tools.map(([name, icon]) => (
          <Tooltip label={t(name)} key={name}>
            <ActionIcon
              variant={editor.isActive(name) ? "light" : "subtle"}
              color={editor.isActive(name) ? "accent" : "gray"}
              size={26}
              aria-label={t(name)}
              aria-pressed={editor.isActive(name)}
              onClick={() => toggle(name)}
            >
              <Icon name={icon} />
            </ActionIcon>
          </Tooltip>
        ))}
        <InsertMenu onInsert={(text) => editor.chain().focus().insertContent({ type: "text", text }).run()} />
      </div>
      {linking && <LinkForm editor={editor} onDone={() => setLinking(false)} />}
    </>
  );
}

function InsertMenu({ onInsert }: { onInsert: (text: string) => void }) {
  const t = useTexts(texts);
  const words = [
    ["firstName", `{{ person.first_name | default: "${t("firstNameOr")}" }}`],
    ["email", "{{ person.email }}"],
    ["fromCall", '{{ trigger.field | default: "" }}'],
    ["unsubscribe", "{{ unsubscribe_url }}"],
    ["preferences", "{{ preferences_url }}"],
  ] as const;
  return (
    <Menu position="bottom-end" withinPortal returnFocus={false}>
      <Menu.Target>
        <Button variant="subtle" color="gray" size="compact-xs" className={css.insert ?? ""}>
          {t("insert")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {words.map(([name, text]) => (
          <Menu.Item key={name} onClick={() => onInsert(text)}>
            {t(name)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function LinkForm({ editor, onDone }: { editor: Editor; onDone: () => void }) {
  const t = useTexts(texts);
  const { href = "", own = "" } = editor.getAttributes("link");
  const [typed, setTyped] = useState(String(href));
  const set = (to: string) => {
    const at = editor.chain().focus().extendMarkRange("link");
    if (to === "") at.unsetMark("link").run();
    else if (editor.state.selection.empty && href === "")
      at.insertContent({ type: "text", text: to, marks: [{ type: "link", attrs: linked("", to) }] }).run();
    else at.setMark("link", linked(String(own), to)).run();
    onDone();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // It stands in the form of the page, which Enter would send.
    if (event.key === "Enter") set(typed.trim());
    else if (event.key === "Escape") {
      editor.commands.focus();
      onDone();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={css.link}>
      <TextInput
        size="xs"
        label={t("address")}
        value={typed}
        placeholder={"https://"}
        spellCheck={false}
        autoFocus
        onKeyDown={onKeyDown}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <div className={css.linkButtons}>
        <Button size="xs" onClick={() => set(typed.trim())}>
          {t("set")}
        </Button>
        {href !== "" && (
          <Button size="xs" variant="default" onClick={() => set("")}>
            {t("noLink")}
          </Button>
        )}
      </div>
    </div>
  );
}
