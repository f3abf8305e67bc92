import { SegmentedControl } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useTexts } from "../../platform/language/texts.ts";
import type { TabProps } from "../tabs.tsx";
import { OnePerson } from "./one-person.tsx";
import { ReplayPanel } from "./replay/replay-panel.tsx";
import css from "./simulate.module.css";
import { texts } from "./texts.ts";

const route = getRouteApi("/w/$workspace/campaigns/$id");

/** Tries the journey out as it is being edited: with one person, or with what happened in the last days. */
export function Simulate(props: TabProps) {
  const t = useTexts(texts);
  const { view = "one" } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <div className={css.head}>
        <SegmentedControl
          size="xs"
          aria-label={t("view")}
          value={view}
          onChange={(to) =>
            void navigate({
              search: { tab: "simulate", ...(to === "replay" && { view: "replay" as const }) },
              replace: true,
            })
          }
          data={(["one", "replay"] as const).map((value) => ({ value, label: t(value) }))}
        />
        <p className={`${css.hint} quiet`}>
          {t(view === "one" ? "lead" : "replayLead")} {props.draft.form.dirty && t("unsaved")}
        </p>
      </div>
      {view === "one" ? <OnePerson {...props} /> : <ReplayPanel {...props} />}
    </>
  );
}
