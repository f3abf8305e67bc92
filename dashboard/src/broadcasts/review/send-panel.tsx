import { Button, Group } from "@mantine/core";
import type { Preflight } from "@tidings/contract/messages/sendings";
import { useState } from "react";
import type { Read } from "../../platform/call/call.ts";
import { AsCall } from "../../platform/code/as-call.tsx";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import { Section } from "../../platform/look/parts.tsx";
import { type Broadcast, pathOf } from "../broadcast.ts";
import { Schedule } from "./schedule.tsx";
import { SendNow } from "./send-now.tsx";
import { texts } from "./texts.ts";

interface SendPanelProps {
  version: Read<Broadcast>;
  /** Undefined while it is counted. */
  preflight: Preflight | undefined;
  off: boolean;
}

/** Sends it now or later. */
export function SendPanel({ version, preflight, off }: SendPanelProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const [asked, setAsked] = useState<"now" | "later">();
  const { id, status, rate_per_second: rate } = version.body;
  const count = preflight?.will_receive;
  return (
    <>
      <Section title={t("send")}>
        {rate !== null && count !== undefined && count > 0 && (
          <p className="quiet">
            {t("speed", { rate: format.number(rate), time: format.length(Math.ceil(count / rate) * 1_000) })}
          </p>
        )}
        <Group gap="sm">
          <Button
            leftSection={<Icon name="send" />}
            // Nobody in the audience: said above, and the service would refuse it.
            disabled={off || preflight === undefined || preflight.audience === 0}
            onClick={() => setAsked("now")}
          >
            {t("sendNow")} …
          </Button>
          <Button
            variant="default"
            leftSection={<Icon name="clock" />}
            disabled={off}
            onClick={() => setAsked("later")}
          >
            {t(status === "scheduled" ? "reschedule" : "schedule")} …
          </Button>
        </Group>
      </Section>
      <AsCall
        of={{ method: "POST", path: `/api/v1${pathOf(id)}/send`, body: {}, node: "broadcasts.send", ids: [id] }}
      />
      {asked === "now" && preflight && (
        <SendNow version={version} count={preflight.will_receive} onClose={() => setAsked(undefined)} />
      )}
      {asked === "later" && (
        <Schedule version={version} empty={preflight?.audience === 0} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}
