import { Button, Tooltip } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Ask } from "../platform/ask.tsx";
import { queries } from "../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../platform/call/workspace.ts";
import { useTexts } from "../platform/language/texts.ts";
import { texts as stateTexts } from "../platform/states/texts.ts";
import { tell } from "../platform/states/toasts.tsx";
import css from "./activity.module.css";
import { canCancel, canRecall, canResend, type DeliveryDetail } from "./delivery.ts";
import { texts } from "./texts.ts";

type Action = "resend" | "cancel" | "recall";
const said = {
  resend: ["resendSure", "resent"],
  cancel: ["cancelSure", "canceledNow"],
  recall: ["recallSure", "recalled"],
} as const;

/** What one can do with a delivery in its state. */
export function DeliveryActions({ delivery, onOpen }: { delivery: DeliveryDetail; onOpen: (id: string) => void }) {
  const t = useTexts(texts);
  const states = useTexts(stateTexts);
  const open = useWorkspace();
  const [asked, setAsked] = useState<Action>();
  const possible: Action[] = [
    ...(canResend(delivery) ? (["resend"] as const) : []),
    ...(canCancel(delivery) ? (["cancel"] as const) : []),
    ...(canRecall(delivery) ? (["recall"] as const) : []),
  ];
  const allowed = mayEdit(open);

  const run = async (action: Action) => {
    const { body } = await open.call<{ delivery_id: string }>("POST", `/deliveries/${delivery.id}/${action}`);
    tell(t(said[action][1]));
    void queries.invalidateQueries({ queryKey: [open.id, "/deliveries"] });
    void queries.invalidateQueries({ queryKey: [open.id, `/deliveries/${delivery.id}`] });
    if (action === "resend") onOpen(body.delivery_id);
  };
  return (
    <div className={css.actions}>
      {possible.map((action) => (
        <Tooltip key={action} label={states("onlyRead")} disabled={allowed}>
          <Button variant="default" size="xs" disabled={!allowed} onClick={() => setAsked(action)}>
            {t(action)}
          </Button>
        </Tooltip>
      ))}
      {delivery.channel === "in_app" && delivery.person_id !== null && (
        <Button
          variant="default"
          size="xs"
          renderRoot={(props) => (
            <Link
              to="/w/$workspace/explain"
              params={{ workspace: open.id }}
              search={{ person: delivery.person_id as string, delivery: delivery.id }}
              {...props}
            />
          )}
        >
          {t("whyNotShown")}
        </Button>
      )}
      {asked && (
        <Ask
          title={t(asked)}
          yes={t(asked)}
          no={asked === "cancel" ? t("keep") : undefined}
          bad={asked !== "resend"}
          onYes={() => run(asked)}
          onClose={() => setAsked(undefined)}
        >
          {t(said[asked][0], { recipient: delivery.recipient ?? delivery.person_id ?? "" })}
        </Ask>
      )}
    </div>
  );
}
