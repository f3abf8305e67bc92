import type { CampaignProblem } from "@tidings/contract/campaigns/campaigns";
import { isRefusal, Refusal } from "../../platform/call/refusal.ts";
import { FormProblem } from "../../platform/form/parts.tsx";
import { Note } from "../../platform/look/parts.tsx";
import type { Campaign } from "../campaign-shape.ts";
import { Problems } from "../operate/publish/problems.tsx";

/** Why the journey can't be tried out: what it lacks, each with its step, or what is wrong with the input. */
export function Refused({ error, campaign }: { error: Error; campaign: Campaign }) {
  if (isRefusal(error, "campaign_invalid"))
    return <Problems of={error.body.errors as unknown as CampaignProblem[]} campaign={campaign} />;
  const { errors } = error instanceof Refusal ? error.body : {};
  if (errors && errors.length > 0)
    return (
      <Note tone="bad" role="alert">
        {errors.map(({ pointer, message }) => `${pointer ?? ""} ${message}`).join(". ")}
      </Note>
    );
  return <FormProblem problem={error} />;
}
