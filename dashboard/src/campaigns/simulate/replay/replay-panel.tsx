import { Button, NativeSelect } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { Replay } from "@tidings/contract/campaigns/simulate";
import { useState } from "react";
import type { Static } from "typebox";
import { isRefusal } from "../../../platform/call/refusal.ts";
import { useWorkspace } from "../../../platform/call/workspace.ts";
import { AsCall } from "../../../platform/code/as-call.tsx";
import { useTexts } from "../../../platform/language/texts.ts";
import { Empty, Loading } from "../../../platform/states/states.tsx";
import type { TabProps } from "../../tabs.tsx";
import { Refused } from "../refused.tsx";
import css from "../simulate.module.css";
import { texts } from "../texts.ts";
import { unsavedOf } from "../unsaved.ts";
import { ReplayNumbers } from "./replay-numbers.tsx";

const LENGTHS = [1, 7, 14, 30];

/** Shows what the draft would have done with the real events of the last days. */
export function ReplayPanel({ campaign, draft }: TabProps) {
  const t = useTexts(texts);
  const { call } = useWorkspace();
  const [days, setDays] = useState(30);
  const unsaved = unsavedOf(draft);
  const body = { days, ...(unsaved && { draft: unsaved }) };
  const path = `/campaigns/${campaign.id}/replay`;
  const replayed = useMutation({
    mutationFn: async () => (await call<Static<typeof Replay>>("POST", path, { body })).body,
  });
  const byCall = draft.values.trigger.type === "api" || isRefusal(replayed.error, "not_replayable");
  if (byCall)
    return (
      <Empty icon="history" title={t("notReplayable")}>
        {t("notReplayableBody")}
      </Empty>
    );
  return (
    <>
      <form
        className={css.days}
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          replayed.mutate();
        }}
      >
        <NativeSelect
          aria-label={t("days")}
          value={String(days)}
          onChange={({ currentTarget }) => setDays(Number(currentTarget.value))}
          data={LENGTHS.map((count) => ({ value: String(count), label: t("lastDays", { count }) }))}
        />
        <Button type="submit" loading={replayed.isPending}>
          {t("count")}
        </Button>
      </form>
      <div className={css.shown} aria-busy={replayed.isPending}>
        {replayed.isPending && <Loading rows={6} />}
        {replayed.error && <Refused error={replayed.error} campaign={campaign} />}
        {replayed.data && <ReplayNumbers replay={replayed.data} campaign={campaign.id} draft={draft.values} />}
      </div>
      <AsCall of={{ method: "POST", path: `/api/v1${path}`, node: "campaigns.replay", ids: [campaign.id], body }} />
    </>
  );
}
