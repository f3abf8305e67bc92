import { ActionIcon, Button, SegmentedControl } from "@mantine/core";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon, type IconName } from "../../platform/look/icons.tsx";
import { stepOfKey } from "../model/items.ts";
import { placeBeside } from "../model/tree.ts";
import css from "./editor.module.css";
import { texts } from "./texts.ts";
import type { Editor } from "./use-editor.ts";

export type View = "canvas" | "outline";

/** What can be done with the chosen step, and with the journey as a whole. */
export function Toolbar({ editor, view, onView }: { editor: Editor; view: View; onView: (view: View) => void }) {
  const t = useTexts(texts);
  const { draft, chosen, held } = editor;
  const id = chosen.startsWith("step ") ? stepOfKey(chosen) : undefined;
  const { steps } = draft.values;
  const beside = (way: "up" | "down" | "in" | "out") =>
    id !== undefined && placeBeside(steps, id, way) ? () => editor.move(id, way) : undefined;
  const tool = (name: keyof typeof texts, icon: IconName, run: (() => void) | undefined, pressed?: boolean) => (
    <ActionIcon
      variant={pressed ? "light" : "subtle"}
      color="gray"
      size={30}
      aria-label={t(name)}
      title={t(name)}
      aria-pressed={pressed}
      disabled={!run || draft.off}
      onClick={run}
    >
      <Icon name={icon} />
    </ActionIcon>
  );
  return (
    <div className={css.toolbar} role="toolbar" aria-label={t("tools")}>
      <SegmentedControl
        size="xs"
        aria-label={t("view")}
        value={view}
        onChange={(value) => onView(value as View)}
        data={[
          { value: "canvas", label: t("canvas") },
          { value: "outline", label: t("outline") },
        ]}
      />
      <span className={css.tools}>
        {tool("undo", "undo", draft.undo)}
        {tool("redo", "redo", draft.redo)}
      </span>
      <Button
        size="xs"
        variant="default"
        disabled={draft.off}
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => editor.addAfter(chosen)}
      >
        {t(held === undefined ? "addStep" : "putHere")}
      </Button>
      <span className={css.tools}>
        {tool("up", "up", beside("up"))}
        {tool("down", "down", beside("down"))}
        {tool(
          "pickUp",
          "move",
          id === undefined ? undefined : () => editor.hold(held === id ? undefined : id),
          held === id && id !== undefined,
        )}
        {tool("duplicate", "copy", id === undefined ? undefined : () => editor.duplicate(id))}
        {tool("remove", "trash", id === undefined ? undefined : () => editor.remove(id))}
      </span>
      {held !== undefined && (
        <span className={css.held} role="status">
          {t("holding")}
          <Button size="compact-xs" variant="subtle" onClick={() => editor.hold(undefined)}>
            {t("putBack")}
          </Button>
        </span>
      )}
    </div>
  );
}
