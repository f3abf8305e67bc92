import { ActionIcon, Button, SegmentedControl } from "@mantine/core";
import { memo, type RefObject } from "react";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon, type IconName } from "../../platform/look/icons.tsx";
import { stepOfKey } from "../model/items.ts";
import { placeBeside } from "../model/tree.ts";
import css from "./editor.module.css";
import { texts } from "./texts.ts";
import type { Editor } from "./use-editor.ts";

export type View = "canvas" | "outline";

/** What of the editor shows in the toolbar: what can be done, the id of the chosen step, and that of the one that was picked up. */
interface Tools extends Record<"off" | "undo" | "redo" | "up" | "down", boolean> {
  step: string | undefined;
  held: string | undefined;
}

interface ToolbarProps extends Tools {
  /** The editor in the moment of a press. */
  now: RefObject<Editor>;
  view: View;
  onView: (view: View) => void;
}

/** Returns what the toolbar shows of an editor: values that stay the same while somebody types, so that it is not drawn again. */
export function toolsOf({ draft, chosen, held }: Editor): Tools {
  const step = chosen.startsWith("step ") ? stepOfKey(chosen) : undefined;
  const may = (way: "up" | "down") => step !== undefined && placeBeside(draft.values.steps, step, way) !== undefined;
  const { off, undo, redo } = draft;
  return { off, undo: undo !== undefined, redo: redo !== undefined, up: may("up"), down: may("down"), step, held };
}

/** What can be done with the chosen step, and with the journey as a whole. */
export const Toolbar = memo(function Toolbar({ now, view, onView, step, held, ...can }: ToolbarProps) {
  const t = useTexts(texts);
  const ofStep = (work: (editor: Editor, id: string) => void) => step !== undefined && (() => work(now.current, step));
  const tool = (name: keyof typeof texts, icon: IconName, run: (() => void) | false, pressed?: boolean) => (
    <ActionIcon
      variant={pressed ? "light" : "subtle"}
      color="gray"
      size={30}
      aria-label={t(name)}
      title={t(name)}
      aria-pressed={pressed}
      disabled={!run || can.off}
      onClick={run || undefined}
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
        {tool("undo", "undo", can.undo && (() => now.current.draft.undo?.()))}
        {tool("redo", "redo", can.redo && (() => now.current.draft.redo?.()))}
      </span>
      <Button
        size="xs"
        variant="default"
        disabled={can.off}
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => now.current.addAfter(now.current.chosen)}
      >
        {t(held === undefined ? "addStep" : "putHere")}
      </Button>
      <span className={css.tools}>
        {tool("up", "up", can.up && ofStep((editor, id) => editor.move(id, "up")))}
        {tool("down", "down", can.down && ofStep((editor, id) => editor.move(id, "down")))}
        {tool(
          "pickUp",
          "move",
          ofStep((editor, id) => editor.hold(held === id ? undefined : id)),
          held === step && step !== undefined,
        )}
        {tool(
          "duplicate",
          "copy",
          ofStep((editor, id) => editor.duplicate(id)),
        )}
        {tool(
          "remove",
          "trash",
          ofStep((editor, id) => editor.remove(id)),
        )}
      </span>
      {held !== undefined && (
        <span className={css.held} role="status">
          {t("holding")}
          <Button size="compact-xs" variant="subtle" onClick={() => now.current.hold(undefined)}>
            {t("putBack")}
          </Button>
        </span>
      )}
    </div>
  );
});
