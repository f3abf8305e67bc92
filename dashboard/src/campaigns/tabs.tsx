import type { ReactNode } from "react";
import type { Campaign } from "./campaign-shape.ts";
import { Journey } from "./editor/journey.tsx";
import type { DraftEdit } from "./editor/use-draft.ts";
import { Numbers } from "./operate/numbers/numbers.tsx";
import { Runs } from "./operate/runs/runs.tsx";
import type { Tab } from "./search.ts";
import { Settings } from "./settings/settings.tsx";
import { Simulate } from "./simulate/simulate.tsx";

export interface TabProps {
  /** As it is saved. */
  campaign: Campaign;
  /** As it is being edited. It outlives the tab. */
  draft: DraftEdit;
}

/** What each tab shows. A new one is named in search.ts, in texts.ts (`tab_...`) and here. */
export const panels: Record<Tab, (props: TabProps) => ReactNode> = {
  journey: Journey,
  numbers: Numbers,
  runs: Runs,
  simulate: Simulate,
  settings: Settings,
};
