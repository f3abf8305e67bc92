import { Drawer } from "@mantine/core";
import { useDeferredValue, useMemo } from "react";
import { useTexts } from "../../platform/language/texts.ts";
import { useCloseButton } from "../../platform/look/side-drawer.tsx";
import type { Campaign } from "../campaign-shape.ts";
import { Inspector } from "../inspector/inspector.tsx";
import css from "./editor.module.css";
import { texts } from "./texts.ts";
import type { Editor } from "./use-editor.ts";
import type { Problems } from "./use-problems.ts";

interface ChosenFormProps {
  editor: Editor;
  campaign: Campaign;
  problems: Problems;
  nameOf: (id: string) => string | undefined;
  /** Whether there is no place for it beside the journey. */
  narrow: boolean;
}

/** The form of what is chosen: beside the journey, or over it where the window is narrow. */
export function ChosenForm({ editor, campaign, problems, nameOf, narrow }: ChosenFormProps) {
  const t = useTexts(texts);
  const { draft, chosen, choose, changeStep } = editor;
  // The form follows the arrow keys as soon as there is time. Until then nobody can type into the form of the step before.
  const late = useDeferredValue(chosen);
  const edit = useMemo(() => ({ draft, chosen: late, choose, changeStep }), [draft, late, choose, changeStep]);
  const closeButton = useCloseButton();
  const form = (
    <div inert={late !== chosen}>
      <Inspector editor={edit} campaign={campaign} problems={problems} nameOf={nameOf} />
    </div>
  );
  const close = () => {
    editor.setOpen(false);
    editor.focusChosen();
  };
  if (narrow)
    return (
      <Drawer opened={editor.open} onClose={close} title={t("chosen")} position="bottom" size="90%" {...closeButton}>
        {form}
      </Drawer>
    );
  return (
    <section className={css.aside} aria-label={t("chosen")}>
      {form}
    </section>
  );
}
