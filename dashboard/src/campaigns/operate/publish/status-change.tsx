import type { CampaignMetrics } from "@tidings/contract/campaigns/runs";
import type { Static } from "typebox";
import { Ask } from "../../../platform/ask.tsx";
import { queries, useRead } from "../../../platform/call/queries.ts";
import { useWorkspace } from "../../../platform/call/workspace.ts";
import { useTexts } from "../../../platform/language/texts.ts";
import { tell } from "../../../platform/states/toasts.tsx";
import { useLeave } from "../../../platform/use-leave.ts";
import type { Campaign } from "../../campaign-shape.ts";
import { texts } from "./texts.ts";

export type StatusChangeKind = "pause" | "resume" | "archive" | "remove";

interface StatusChangeProps {
  campaign: Campaign;
  kind: StatusChangeKind;
  onClose: () => void;
}

/** Says what a change of the status does and to how many people, and makes it. */
export function StatusChange({ campaign: { id, name, trigger }, kind, onClose }: StatusChangeProps) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const leave = useLeave();
  const metrics = useRead<Static<typeof CampaignMetrics>>(
    `/campaigns/${id}/metrics`,
    {},
    { enabled: kind !== "remove" },
  );
  const active = metrics.data?.runs.active ?? 0;
  const change = async () => {
    if (kind === "remove") {
      await open.call("DELETE", `/campaigns/${id}`);
      void leave({ to: "/w/$workspace/campaigns", params: { workspace: open.id } });
    } else await open.call("POST", `/campaigns/${id}/${kind}`);
    tell(t(`${kind}Done`));
    void queries.invalidateQueries({
      predicate: ({ queryKey: [workspace, path] }) =>
        workspace === open.id &&
        (path === "/campaigns" || (kind !== "remove" && String(path).startsWith(`/campaigns/${id}`))),
    });
  };
  const byDay = trigger.type === "date" || trigger.type === "recurring";
  return (
    <Ask
      title={`${t(kind)}: ${name}`}
      yes={t(kind)}
      bad={kind === "archive" || kind === "remove"}
      onYes={change}
      onClose={onClose}
    >
      <p>{t(`${kind}Sure`)}</p>
      {kind === "pause" && byDay && <p>{t("pauseDays")}</p>}
      {kind === "pause" && trigger.type === "audience" && <p>{t("pauseAudience")}</p>}
      {active > 0 && <p>{t("active", { count: active })}</p>}
    </Ask>
  );
}
