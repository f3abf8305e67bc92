import { useDebouncedValue, useMediaQuery } from "@mantine/hooks";
import { type KeyboardEvent, memo, useCallback, useDeferredValue, useEffect, useRef, useState } from "react";
import { getRouteApi } from "@tanstack/react-router";
import { useRead } from "../../platform/call/queries.ts";
import { AsCall } from "../../platform/code/as-call.tsx";
import { keepsKeys } from "../../platform/keys.ts";
import type { Draft } from "../campaign-shape.ts";
import { Canvas } from "../canvas/canvas.tsx";
import { useCountBadges } from "../operate/numbers/step-badges.tsx";
import { stepKey } from "../model/items.ts";
import { Outline } from "../outline/outline.tsx";
import type { TabProps } from "../tabs.tsx";
import { AddStep } from "./add-step.tsx";
import { ChosenForm } from "./chosen-form.tsx";
import css from "./editor.module.css";
import { pressed } from "./keys.ts";
import { useNames } from "./names.ts";
import { ProblemList } from "./problem-list.tsx";
import { Toolbar, toolsOf, type View } from "./toolbar.tsx";
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

/** Returns whether the journey is drawn or a list, and what chooses it for the next visits, too. */
function useView(narrow: boolean): [View, (view: View) => void] {
  const [kept, setKept] = useState(() => localStorage.getItem(KEPT));
  const view: View = kept === "canvas" || kept === "outline" ? kept : narrow ? "outline" : "canvas";
  const choose = useCallback((to: View) => {
    localStorage.setItem(KEPT, to);
    setKept(to);
  }, []);
  return [view, choose];
}

/** The editor of a journey: drawn or as a list, beside it the form of what is chosen, below it what is still missing. */
export function Journey({ campaign, draft }: TabProps) {
  const narrow = useMediaQuery(NARROW, window.matchMedia(NARROW).matches, { getInitialValueInEffect: false });
  const [view, setView] = useView(narrow);
  const editor = useEditor(draft);
  useAddressedStep(editor);
  const nameOf = useNames();
  const problems = useProblems(campaign, draft);
  const badges = useCountBadges(campaign);
  // The drawing follows what is typed as soon as there is time, so that typing never waits for it.
  const drawn = useDeferredValue(draft.values);
  const { chosen, choose, setOpen } = editor;
  const onChoose = useCallback(
    (to: string) => {
      choose(to);
      setOpen(!narrow || to === chosen);
    },
    [choose, setOpen, narrow, chosen],
  );
  // The canvas and the toolbar get the editor by a reference. The editor itself is another one at each key, and they would be drawn again.
  const now = useRef(editor);
  now.current = editor;
  const onKey = useCallback((event: KeyboardEvent, at: string) => pressed(event, at, now.current), []);
  const keys = (event: KeyboardEvent) => {
    if (!keepsKeys(event.target) && (event.ctrlKey || event.metaKey)) pressed(event, "", editor);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Ctrl Z holds wherever nobody types
    <div className={css.editor} onKeyDown={keys}>
      <Toolbar now={now} {...toolsOf(editor)} view={view} onView={setView} />
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
            onKey={onKey}
            focus={editor.focus}
          />
        ) : (
          <Outline editor={editor} problems={problems.count} nameOf={nameOf} badges={badges} />
        )}
        <ChosenForm editor={editor} campaign={campaign} problems={problems} nameOf={nameOf} narrow={narrow} />
      </div>
      <ProblemList problems={problems.all} editor={editor} />
      <Adding editor={editor} />
      <JourneyCall id={campaign.id} of={drawn} />
    </div>
  );
}

/** Asks which step is put at the place that was chosen. */
function Adding({ editor }: { editor: Editor }) {
  const workspace = useRead<{ allow_in_app: boolean }>("/workspace");
  if (!editor.adding) return null;
  const close = () => {
    editor.add(undefined);
    editor.focusChosen();
  };
  return <AddStep inApp={workspace.data?.allow_in_app ?? true} onPut={editor.put} onClose={close} />;
}

/** The call is written anew this long after the last change. For 200 steps it has 34,000 characters, and each key would wait for them. */
const CALL_AFTER_MS = 500;

/** Written anew only when the journey that is drawn is another one. */
const JourneyCall = memo(function JourneyCall({ id, of }: { id: string; of: Draft }) {
  const [{ trigger, reentry, steps }] = useDebouncedValue(of, CALL_AFTER_MS);
  return (
    <AsCall
      of={{
        method: "PATCH",
        path: `/api/v1/campaigns/${id}`,
        node: "campaigns.update",
        ids: [id],
        body: { trigger, reentry, steps },
      }}
    />
  );
});
