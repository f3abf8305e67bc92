import { TextInput } from "@mantine/core";
import { useState } from "react";
import { Ask } from "../../platform/ask.tsx";
import type { Read } from "../../platform/call/call.ts";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { tell } from "../../platform/states/toasts.tsx";
import type { Broadcast } from "../broadcast.ts";
import { useMove } from "../moves/use-move.ts";
import { texts } from "./texts.ts";

/** From so many people on, the number is typed: a wrong audience is noticed then. */
const LARGE = 1_000;

/** Asks before it is sent, with the number of people. */
export function SendNow({ version, count, onClose }: { version: Read<Broadcast>; count: number; onClose: () => void }) {
  const t = useTexts(texts);
  const format = useFormat();
  const move = useMove(version);
  const [typed, setTyped] = useState("");
  const { name, channel } = version.body;
  const large = count >= LARGE;
  return (
    <Ask
      title={t("sendTitle", { name })}
      yes={t("sendYes", { count })}
      ready={!large || typed.replaceAll(/\D/g, "") === String(count)}
      onClose={onClose}
      onYes={async () => {
        await move("send", {});
        tell(t("sending"));
      }}
    >
      <p>
        <strong>{t("sendCount", { count, channel: t(channel) })}</strong>
      </p>
      <p>{t(channel === "in_app" ? "sendSureInApp" : "sendSure")}</p>
      {large && (
        <TextInput
          label={t("typeNumber", { number: format.number(count) })}
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
    </Ask>
  );
}
