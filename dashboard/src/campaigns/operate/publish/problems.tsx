import { Link } from "@tanstack/react-router";
import type { CampaignProblem } from "@tidings/contract/campaigns/campaigns";
import { useWorkspace } from "../../../platform/call/workspace.ts";
import { useTexts } from "../../../platform/language/texts.ts";
import { Note } from "../../../platform/look/parts.tsx";
import type { Campaign } from "../../campaign-shape.ts";
import css from "../operate.module.css";
import { problemsIn } from "../../model/problems.ts";
import { problemTexts } from "../../words/problem-texts.ts";
import { sentenceOf } from "../../words/problem-words.ts";
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
  const say = useTexts(problemTexts);
  const { id: workspace } = useWorkspace();
  const nameOf = useStepNames(campaign.steps);
  return (
    <Note tone="bad" role="alert">
      <strong>{t("problems", { count: of.length })}</strong>
      <ul className={css.problems}>
        {problemsIn(campaign, of).map((problem) => (
          <li key={`${problem.stepId} ${problem.field} ${problem.code}`}>
            {problem.stepId !== null && (
              <>
                <Link
                  to="/w/$workspace/campaigns/$id"
                  params={{ workspace, id: campaign.id }}
                  search={{ step: problem.stepId }}
                  onClick={onClose}
                >
                  {nameOf(problem.stepId)}
                </Link>
                {": "}
              </>
            )}
            {sentenceOf(problem, say)}
          </li>
        ))}
      </ul>
    </Note>
  );
}
