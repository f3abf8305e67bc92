import { Drawer } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { type KeyboardEvent, useCallback, useDeferredValue, useEffect, useMemo, useState } from "react";
import { getRouteApi } from "@tanstack/react-router";
import { useRead } from "../../platform/call/queries.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Canvas } from "../canvas/canvas.tsx";
import { Inspector } from "../inspector/inspector.tsx";
import { useCountBadges } from "../operate/numbers/use-count-badges.tsx";
import { stepKey } from "../model/items.ts";
import { Outline } from "../outline/outline.tsx";
import type { TabProps } from "../tabs.tsx";
import { AddStep } from "./add-step.tsx";
import css from "./editor.module.css";
import { pressed } from "./keys.ts";
import { useNames } from "./names.ts";
import { ProblemList } from "./problem-list.tsx";
import { texts } from "./texts.ts";
import { Toolbar, type View } from "./toolbar.tsx";
import { type Editor, useEditor } from "./use-editor.ts";
import { useProblems } from "./use-problems.ts";

const route = getRouteApi("/w/$workspace/campaigns/$id");
/** Where the choice of canvas or outline is kept. */
const KEPT = "tidings.campaigns.view";
const NARROW = "(max-width: 900px)";

/** Opens the step that the address names, such as that of a problem, and takes it out of the address: the same link works again. */
function useAddressedStep({ choose, setOpen, focusChosen }: Editor): void {
  const { step } = route.useSearch();
  const navigate = route.useNavigate();
  useEffect(() => {
    if (step === undefined) return;
    choose(stepKey(step));
    setOpen(true);
    focusChosen();
    void navigate({ search: ({ step: _, ...rest }) => rest, replace: true });
  }, [step, choose, setOpen, focusChosen, navigate]);
}

/** The editor of a journey: drawn or as a list, beside it the form of what is chosen, below it what is still missing. */
export function Journey({ campaign, draft }: TabProps) {
  const t = useTexts(texts);
  const narrow = useMediaQuery(NARROW, window.matchMedia(NARROW).matches, { getInitialValueInEffect: false });
  const [kept, setKept] = useState(() => localStorage.getItem(KEPT));
  const view: View = kept === "canvas" || kept === "outline" ? kept : narrow ? "outline" : "canvas";
  const editor = useEditor(draft);
  useAddressedStep(editor);
  const nameOf = useNames();
  const problems = useProblems(campaign, draft);
  const badges = useCountBadges(campaign);
  const workspace = useRead<{ allow_in_app: boolean }>("/workspace");
  // The drawing follows what is typed as soon as there is time, so that typing never waits for it.
  const drawn = useDeferredValue(draft.values);
  const chosen = editor.chosen;
  const { chosen: key, choose, setOpen } = editor;
  const onChoose = useCallback(
    (to: string) => {
      choose(to);
      setOpen(!narrow || to === key);
    },
    [choose, setOpen, narrow, key],
  );
  // The form follows the arrow keys as soon as there is time. Until then nobody can type into the form of the step before.
  const late = useDeferredValue(chosen);
  const { changeStep } = editor;
  const edit = useMemo(() => ({ draft, chosen: late, choose, changeStep }), [draft, late, choose, changeStep]);
  const inspector = (
    <div inert={late !== chosen}>
      <Inspector editor={edit} campaign={campaign} problems={problems} nameOf={nameOf} />
    </div>
  );
  const keys = (event: KeyboardEvent) => {
    const typing = (event.target as HTMLElement).closest("input, textarea, select, [contenteditable], [role=dialog]");
    if (!typing && (event.ctrlKey || event.metaKey)) pressed(event, "", editor);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Ctrl Z holds wherever nobody types
    <div className={css.editor} onKeyDown={keys}>
      <Toolbar
        editor={editor}
        view={view}
        onView={(to) => {
          localStorage.setItem(KEPT, to);
          setKept(to);
        }}
      />
      <div className={css.panes}>
        {view === "canvas" ? (
          <Canvas
            draft={drawn}
            chosen={chosen}
            onChoose={onChoose}
            badges={badges}
            problems={problems.count}
            nameOf={nameOf}
            onAdd={draft.off ? undefined : editor.add}
            held={editor.held}
            onKey={(event, at) => pressed(event, at, editor)}
            focus={editor.focus}
          />
        ) : (
          <Outline editor={editor} problems={problems.count} nameOf={nameOf} badges={badges} />
        )}
        {narrow ? (
          <Drawer
            opened={editor.open}
            onClose={() => {
              editor.setOpen(false);
              editor.focusChosen();
            }}
            title={t("chosen")}
            position="bottom"
            size="90%"
          >
            {inspector}
          </Drawer>
        ) : (
          <section className={css.aside} aria-label={t("chosen")}>
            {inspector}
          </section>
        )}
      </div>
      <ProblemList problems={problems.all} editor={editor} />
      {editor.adding && (
        <AddStep
          inApp={workspace.data?.allow_in_app ?? true}
          onPut={editor.put}
          onClose={() => {
            editor.add(undefined);
            editor.focusChosen();
          }}
        />
      )}
    </div>
  );
}
