import type { WebhookReplay, WebhookReplaying } from "@tidings/contract/webhooks";
import { Group, Radio, Stack, TextInput } from "@mantine/core";
import type { Static } from "typebox";
import { queries } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { FormDialog } from "../platform/form/dialog.tsx";
import { useForm } from "../platform/form/form.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { tell } from "../platform/states/toasts.tsx";
import { replays } from "./progress.tsx";
import { texts } from "./texts.ts";
import type { Webhook } from "./webhook.ts";

const kinds = ["replayFailed", "replayPeriod", "replaySince"] as const;
const DAY_MS = 86_400_000;

/** A time as the browser's field for it has it: local, to the minute. */
const local = (at: number): string => {
  const date = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, 16);
};
/** What is no time goes as it is: the service says what is wrong with it. */
const instant = (text: string): string => (Number.isNaN(Date.parse(text)) ? text : new Date(text).toISOString());

/** Sends many events again: those that failed, those of a period, or all since a time. */
export function Replay({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const t = useTexts(texts);
  const format = useFormat();
  const open = useWorkspace();
  const now = Date.now();
  const form = useForm(
    { kind: "replayFailed" as (typeof kinds)[number], since: local(now - DAY_MS), until: local(now) },
    async ({ kind, since, until }) => {
      const from = instant(since);
      const first: WebhookReplay =
        kind === "replaySince"
          ? { since: from }
          : kind === "replayFailed"
            ? { since: from, status: "failed" }
            : { since: from, until: instant(until) };
      const begun = new Date().toISOString();
      let count = 0;
      // One call repeats up to 10,000.
      for (let body: WebhookReplay | undefined = first; body; ) {
        const path = `/webhooks/${webhook.id}/replay`;
        const { body: answer }: { body: Static<typeof WebhookReplaying> } = await open.call("POST", path, { body });
        count += answer.count ?? 0;
        body = answer.next_since === null ? undefined : { ...first, since: answer.next_since };
      }
      if (kind === "replaySince") {
        replays.set({ id: webhook.id, since: from, begun });
        tell(t("replayingSince", { time: format.instant(from) }));
      } else if (count === 0) throw new Error(t("replayNone"));
      else {
        replays.set({ id: webhook.id, count });
        tell(t("replaying", { count }));
      }
      void queries.invalidateQueries({ queryKey: [open.id, `/webhooks/${webhook.id}/backlog`] });
      void queries.invalidateQueries({ queryKey: [open.id, `/webhooks/${webhook.id}/deliveries`] });
      onClose();
    },
  );
  return (
    <FormDialog title={t("replayTitle")} form={form} yes={t("replayYes")} size="lg" onClose={onClose}>
      <p className="quiet">{t("replayBody")}</p>
      <Radio.Group
        label={t("replayWhat")}
        value={form.values.kind}
        onChange={(value) => form.set("kind", value as (typeof kinds)[number])}
      >
        <Stack gap={8} mt="xs">
          {kinds.map((kind) => (
            <Radio key={kind} value={kind} label={t(kind)} description={t(`${kind}Hint`)} />
          ))}
        </Stack>
      </Radio.Group>
      <Group align="flex-start">
        <TextInput type="datetime-local" label={t("since")} {...form.text("since")} />
        {form.values.kind === "replayPeriod" && (
          <TextInput type="datetime-local" label={t("until")} {...form.text("until")} />
        )}
      </Group>
    </FormDialog>
  );
}
