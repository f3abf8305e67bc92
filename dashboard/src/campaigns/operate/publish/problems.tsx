import { Link } from "@tanstack/react-router";
import type { CampaignProblem } from "@tidings/contract/campaigns/campaigns";
import { useWorkspace } from "../../../platform/call/workspace.ts";
import { useTexts } from "../../../platform/language/texts.ts";
import { Note } from "../../../platform/look/parts.tsx";
import type { Campaign } from "../../campaign-shape.ts";
import css from "../operate.module.css";
import { useStepNames } from "../steps.ts";
import { texts } from "./texts.ts";

interface ProblemsProps {
  of: readonly CampaignProblem[];
  campaign: Campaign;
  onClose?: () => void;
}

/** What prevents the activation, each with a link to its step. */
export function Problems({ of, campaign, onClose }: ProblemsProps) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const nameOf = useStepNames(campaign.steps);
  return (
    <Note tone="bad" role="alert">
      <strong>{t("problems", { count: of.length })}</strong>
      <ul className={css.problems}>
        {of.map(({ pointer, message, code, step_id: step }) => (
          <li key={`${pointer} ${code}`}>
            {step ? (
              <>
                <Link
                  to="/w/$workspace/campaigns/$id"
                  params={{ workspace, id: campaign.id }}
                  search={{ step }}
                  onClick={onClose}
                >
                  {nameOf(step)}
                </Link>
                {": "}
              </>
            ) : (
              <span className="mono">{pointer} </span>
            )}
            {message}
          </li>
        ))}
      </ul>
    </Note>
  );
}
