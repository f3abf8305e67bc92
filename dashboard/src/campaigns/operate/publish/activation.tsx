import { Button, Group, Modal, Stack } from "@mantine/core";
import type { CampaignProblem, Inside } from "@tidings/contract/campaigns/campaigns";
import { useState } from "react";
import { FoldedCall } from "../../../platform/code/as-call.tsx";
import { keepVersion, queries } from "../../../platform/call/queries.ts";
import { isRefusal } from "../../../platform/call/refusal.ts";
import { useWorkspace } from "../../../platform/call/workspace.ts";
import { FormProblem } from "../../../platform/form/parts.tsx";
import { type Texts, useTexts } from "../../../platform/language/texts.ts";
import { Loading } from "../../../platform/states/states.tsx";
import { tell } from "../../../platform/states/toasts.tsx";
import type { Campaign } from "../../campaign-shape.ts";
import { Consequences, existingOf } from "./consequences.tsx";
import { InsideChoice, type InsideCounts } from "./inside-choice.tsx";
import { Preflight } from "./preflight.tsx";
import { Problems } from "./problems.tsx";
import { texts } from "./texts.ts";
import { useProblems } from "./use-problems.ts";

const own = { cancel: ["Cancel", "Abbrechen"] } satisfies Texts;

const bodyOf = (inside: Inside | undefined) => (inside ? { inside } : {});
const callOf = (id: string, inside: Inside | undefined) => ({
  method: "POST" as const,
  path: `/api/v1/campaigns/${id}/activate`,
  node: "campaigns.activate",
  ids: [id],
  body: bodyOf(inside),
});

/** Publishes the draft: says what prevents it or what it does, and asks what becomes of the people inside where the journey changed. */
export function Activation({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const t = useTexts(texts);
  const say = useTexts(own);
  const first = campaign.published === null;
  const problems = useProblems(campaign.id);
  const [existing, setExisting] = useState(existingOf(campaign));
  const { inside, setChoice, choice, busy, problem, found, publish } = usePublish(campaign, existing, onClose);
  const broken: CampaignProblem[] = found ?? problems.data ?? [];
  const resumes = campaign.status === "paused";
  const isSound = problems.data !== undefined && broken.length === 0;
  // The service refuses the call without it, so neither the button nor the call as code is offered before the choice.
  const isAsked = inside !== undefined && choice === undefined;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(first ? "titleActivate" : "titlePublish", { name: campaign.name })}
      size="lg"
    >
      <Stack gap="md">
        {problems.isPending && !found && <Loading rows={3} />}
        {problems.error && <FormProblem problem={problems.error} />}
        {broken.length > 0 && <Problems of={broken} campaign={campaign} onClose={onClose} />}
        {(problems.data || found) &&
          broken.length === 0 &&
          (inside ? (
            <InsideChoice campaign={campaign} inside={inside} value={choice} onChange={setChoice} />
          ) : (
            <>
              <Consequences campaign={campaign} existing={existing} onExisting={setExisting} />
              <Preflight campaign={campaign} />
            </>
          ))}
        <FormProblem problem={problem} />
        {isSound && !isAsked && <FoldedCall of={callOf(campaign.id, choice)} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {say("cancel")}
          </Button>
          {isSound && (
            <Button
              loading={busy}
              disabled={isAsked}
              {...(choice === "end" && { color: "red" })}
              onClick={() => void publish()}
            >
              {t(first ? "activate" : resumes ? "publishResume" : "publish")}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

/** Publishes. Where the service asks what becomes of the people inside, `inside` has their numbers, and `choice` the answer. */
function usePublish(campaign: Campaign, existing: boolean | undefined, onDone: () => void) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const path = `/campaigns/${campaign.id}`;
  const [inside, setInside] = useState<InsideCounts>();
  const [choice, setChoice] = useState<Inside>();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Error>();
  /** Problems that came up since the check. */
  const [found, setFound] = useState<CampaignProblem[]>();

  const activate = async () => {
    const { trigger } = campaign;
    if (trigger.type === "audience" && existing !== existingOf(campaign)) {
      const read = await open.call<Campaign>("PATCH", path, { body: { trigger: { ...trigger, existing } } });
      keepVersion(open.id, path, read);
    }
    const read = await open.call<Campaign>("POST", `${path}/activate`, { body: bodyOf(choice) });
    keepVersion(open.id, path, read);
    void queries.invalidateQueries({
      predicate: ({ queryKey: [workspace, read] }) =>
        workspace === open.id && (read === "/campaigns" || String(read).startsWith(`${path}/`)),
    });
    tell(t(campaign.published === null ? "activated" : "published"));
    onDone();
  };
  const publish = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await activate();
    } catch (error) {
      if (isRefusal(error, "runs_inside")) setInside(error.body.inside as InsideCounts);
      else if (isRefusal(error, "campaign_invalid")) setFound(error.body.errors as unknown as CampaignProblem[]);
      else setProblem(error as Error);
    } finally {
      setBusy(false);
    }
  };
  return { inside, choice, setChoice, busy, problem, found, publish };
}
