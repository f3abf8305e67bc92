import { Checkbox, Switch, TextInput } from "@mantine/core";
import { useState } from "react";
import { instantIn, localIn } from "../../inapp/zoned.ts";
import { Ask } from "../../platform/ask.tsx";
import type { Read } from "../../platform/call/call.ts";
import { useRead } from "../../platform/call/queries.ts";
import { type Format, useFormat } from "../../platform/language/format.ts";
import { type Say, useTexts } from "../../platform/language/texts.ts";
import { tell } from "../../platform/states/toasts.tsx";
import type { WorkspaceRead } from "../../workspaces/settings/values.ts";
import type { Broadcast } from "../broadcast.ts";
import css from "../broadcasts.module.css";
import { useMove } from "../moves/use-move.ts";
import { spanOf } from "./span.ts";
import { texts } from "./texts.ts";

interface ScheduleProps {
  version: Read<Broadcast>;
  /** Whether nobody is in the audience now. */
  empty: boolean;
  onClose: () => void;
}

/** Asks when it is sent, in the time zone of the workspace. */
export function Schedule(props: ScheduleProps) {
  const { data } = useRead<WorkspaceRead>("/workspace");
  // A moment at most: whoever is here has read the workspace before.
  return data ? <ScheduleIn {...props} zone={data.timezone} /> : null;
}

/** From when to when, and that some are past it already. */
function sentenceOf({ first, last }: ReturnType<typeof spanOf>, t: Say<typeof texts>, format: Format): string {
  const between = t("localTimeHint", { first: format.instant(first), last: format.instant(last) });
  return Date.parse(first) <= Date.now() ? `${between} ${t("localTimePast")}` : between;
}

const HOUR_MS = 3_600_000;

function ScheduleIn({ version, empty, onClose, zone }: ScheduleProps & { zone: string }) {
  const t = useTexts(texts);
  const format = useFormat();
  const move = useMove(version);
  const { name, send_at: sendAt, local_time: wasLocal } = version.body;
  const [at, setAt] = useState(() => localIn(zone, sendAt ?? new Date(Date.now() + HOUR_MS).toISOString()));
  const [local, setLocal] = useState(wasLocal);
  const [allowEmpty, setAllowEmpty] = useState(false);
  const instant = at && instantIn(zone, at);
  const past = instant !== "" && Date.parse(instant) <= Date.now();
  const span = instant && local ? spanOf(at) : undefined;
  return (
    <Ask
      title={t("scheduleTitle", { name })}
      yes={t("scheduleYes")}
      ready={instant !== "" && !past && (!empty || allowEmpty)}
      onClose={onClose}
      onYes={async () => {
        await move("schedule", { send_at: instant, local_time: local, ...(allowEmpty && { allow_empty: true }) });
        tell(t("scheduled"));
      }}
    >
      <div className={css.asked}>
        <TextInput
          type="datetime-local"
          label={t("at")}
          description={t("atZone", { zone })}
          value={at}
          onChange={(event) => setAt(event.currentTarget.value)}
          error={past && t("past")}
        />
        <Switch
          label={t("localTime")}
          description={span && sentenceOf(span, t, format)}
          checked={local}
          onChange={(event) => setLocal(event.currentTarget.checked)}
        />
        {empty && (
          <Checkbox
            label={t("allowEmpty")}
            checked={allowEmpty}
            onChange={(event) => setAllowEmpty(event.currentTarget.checked)}
          />
        )}
        <p className="quiet">{t("atFixes")}</p>
      </div>
    </Ask>
  );
}
