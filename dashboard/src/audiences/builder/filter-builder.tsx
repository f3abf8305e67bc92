import type { Filter } from "@tidings/contract/audience/audiences";
import { SegmentedControl } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useTexts } from "../../platform/language/texts.ts";
import { AddMenu } from "./add-menu.tsx";
import css from "./builder.module.css";
import { JsonView } from "./json-view.tsx";
import { added, firstWithin, type Part, type Path, pointerOf, viewOf } from "./model/tree.ts";
import { FilterPart } from "./part.tsx";
import { type Building, BuildingProvider, type Extra } from "./state.ts";
import { Summary } from "./summary.tsx";
import { texts } from "./texts.ts";

interface FilterBuilderProps<F extends Part> {
  /** Null while nothing is chosen. */
  value: F | null;
  /** Gets the changed filter. While conditions are not filled in, the service would refuse it (`isComplete`). */
  onChange: (filter: F) => void;
  /** The message at a pointer into the filter, such as "/all/0/value"; "" is the filter itself. `pointedErrors` makes one of a refusal. */
  errorOf?: ((pointer: string) => string | undefined) | undefined;
  /** Adds the conditions of a campaign's branches. The filter is then a StepFilter. */
  extra?: Extra | undefined;
}
const NO_EXTRA: Extra = {};
const none = () => undefined;

/** A filter as nested groups of conditions, or as JSON. What nobody edits stays as it was. */
export function FilterBuilder<F extends Part = Filter>(props: FilterBuilderProps<F>) {
  const { value, onChange, errorOf = none, extra = NO_EXTRA } = props;
  const t = useTexts(texts);
  const [asJson, setAsJson] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  const focus = useFocus(element);
  const change: Building["change"] = (root, to) => {
    if (to) focus(to);
    onChange(root as F);
  };
  const add = (part: Part) => {
    const { root, path } = added(value, part);
    change(root, { at: firstWithin(part, path) });
  };
  const isGroup = value !== null && viewOf(value, []).kind === "group";
  const building = { root: value ?? { all: [] }, change, errorOf, extra };
  return (
    <BuildingProvider value={building}>
      <div className={css.builder} ref={element}>
        <div className={css.top}>
          <SegmentedControl
            size="xs"
            aria-label={t("view")}
            value={asJson ? "json" : "fields"}
            onChange={(view) => setAsJson(view === "json")}
            data={[
              { value: "fields", label: t("asFields") },
              { value: "json", label: t("asJson") },
            ]}
          />
        </div>
        {asJson ? (
          <JsonView value={value} onChange={(filter) => onChange(filter as F)} />
        ) : (
          <>
            {value === null ? <p className={css.hint}>{t("nothing")}</p> : <FilterPart path={[]} depth={0} />}
            {!isGroup && <AddMenu nested="any" onAdd={add} />}
          </>
        )}
        <Summary filter={value} />
      </div>
    </BuildingProvider>
  );
}

/** Returns the function that brings the focus to a part, once the changed filter is drawn. */
function useFocus(element: { current: HTMLElement | null }): (to: { at: Path; menu?: boolean }) => void {
  const wanted = useRef<{ at: Path; menu?: boolean }>(undefined);
  const [asked, ask] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that it is asked for
  useEffect(() => {
    const to = wanted.current;
    wanted.current = undefined;
    if (!to) return;
    // After a menu has given the focus back to its button, which may stand at another part now.
    const timer = setTimeout(() => {
      const part = element.current?.querySelector(`[data-part="${CSS.escape(pointerOf(to.at))}"]`);
      const found = to.menu
        ? part?.querySelector<HTMLElement>("[data-menu], select")
        : part?.querySelector<HTMLElement>("input, select, textarea");
      (found ?? element.current?.querySelector<HTMLElement>("[data-add]"))?.focus();
    }, FOCUS_MS);
    return () => clearTimeout(timer);
  }, [asked]);
  return (to) => {
    wanted.current = to;
    ask((n) => n + 1);
  };
}
/** A menu fades away, and gives the focus back then. */
const FOCUS_MS = 120;
