import { Checkbox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { stepsIn } from "@tidings/contract/campaigns/journey";
import { useWorkspace } from "../../../platform/call/workspace.ts";
import { useTexts } from "../../../platform/language/texts.ts";
import { Facts, Note } from "../../../platform/look/parts.tsx";
import type { Campaign } from "../../campaign-shape.ts";
import { useWords } from "../../words/use-words.ts";
import { texts } from "./texts.ts";

/** Whether the people who are in the trigger's audience enter at the activation; undefined with another trigger. */
export const existingOf = ({ trigger }: Campaign): boolean | undefined =>
  trigger.type === "audience" ? trigger.existing === true : undefined;

interface ConsequencesProps {
  campaign: Campaign;
  existing: boolean | undefined;
  onExisting: (existing: boolean) => void;
}

/** What the activation does, in words. */
export function Consequences({ campaign, existing, onExisting }: ConsequencesProps) {
  const t = useTexts(texts);
  const words = useWords();
  const { trigger, reentry, steps, status, published } = campaign;
  const inside = useAudienceCount(trigger.type === "audience" ? trigger : undefined);
  return (
    <>
      {status === "paused" && <Note tone="warn">{t("resumes")}</Note>}
      <Facts
        of={[
          [t("entry"), words.trigger(trigger)],
          [t("again"), words.reentry(reentry)],
          [t("sends"), useMessages(campaign)],
          [t("journey"), t("steps", { count: stepsIn(steps).length })],
          [t("from"), status !== "paused" && t("now")],
        ]}
      />
      {published && <p className="quiet">{t("texts")}</p>}
      {existing !== undefined && (
        <Checkbox
          label={t("existing")}
          description={[inside !== undefined && t("existingCount", { count: inside }), !existing && t("existingOff")]
            .filter(Boolean)
            .join(" ")}
          checked={existing}
          onChange={({ currentTarget }) => onExisting(currentTarget.checked)}
        />
      )}
    </>
  );
}

/** The messages of the journey by channel, such as "2 Email, 1 Push". */
function useMessages({ steps }: Campaign): string {
  const t = useTexts(texts);
  const counts = new Map<"email" | "push" | "sms" | "in_app", number>();
  for (const step of stepsIn(steps)) {
    if (step.type !== "message") continue;
    for (const channel of [step.channel, ...(step.escalate ?? []).map((one) => one.channel)])
      if (channel) counts.set(channel, (counts.get(channel) ?? 0) + 1);
  }
  return [...counts].map(([channel, count]) => `${count} × ${t(channel)}`).join(", ") || t("noMessages");
}

type AudienceTrigger = Extract<Campaign["trigger"], { type: "audience" }>;

/** Counts the people who are in the audience of a trigger now. */
function useAudienceCount(trigger: AudienceTrigger | undefined): number | undefined {
  const { id, call } = useWorkspace();
  const filter = trigger?.audience_id ? { audience: trigger.audience_id } : trigger?.audience;
  const { data } = useQuery({
    queryKey: [id, "/audiences/preview", filter ?? null],
    queryFn: async ({ signal }) =>
      (await call<{ count: number }>("POST", "/audiences/preview", { body: { filter }, signal })).body.count,
    enabled: filter !== undefined,
    retry: false,
  });
  return data;
}
