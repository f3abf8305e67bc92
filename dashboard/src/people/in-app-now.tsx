import type { Explanations } from "@tidings/contract/inapp/explain";
import { Autocomplete } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Static } from "typebox";
import { useList, useRead } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import { Badge, Card, Section } from "../platform/look/parts.tsx";
import { Answer, Loading } from "../platform/states/states.tsx";
import css from "./people.module.css";
import { texts } from "./texts.ts";

type Explained = Static<typeof Explanations>["data"][number];

/** Whether a message shows depends also on the time of day. */
const TIME_MS = 20_000;

/** Why each live in-app message of the person shows on a screen now, or does not. */
export function InAppNow({ path }: { path: string }) {
  const t = useTexts(texts);
  const [screen, setScreen] = useState("");
  const [asked] = useDebouncedValue(screen.trim(), 250);
  const screens = useRead<{ data: { name: string }[] }>("/screens", { limit: 200 });
  const list = useList<Explained>(`${path}/in-app`, { ...(asked && { screen: asked }) }, { everyMs: TIME_MS });
  return (
    <Section title={t("inApp")}>
      <p className="quiet">{t("inAppLead")}</p>
      <Autocomplete
        label={t("screen")}
        description={t("screenHint")}
        maw={360}
        mb="sm"
        value={screen}
        onChange={setScreen}
        limit={20}
        data={screens.data?.data.map(({ name }) => name) ?? []}
      />
      <Answer of={list} loading={<Loading rows={3} />}>
        {() =>
          list.rows.length === 0 ? (
            <p className="quiet">{t("noInApp")}</p>
          ) : (
            list.rows.map((one) => <ExplainedMessage key={one.delivery_id} explained={one} />)
          )
        }
      </Answer>
    </Section>
  );
}

function ExplainedMessage({ explained }: { explained: Explained }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  const { eligible, gates, next_eligible_at: next } = explained;
  return (
    <div className={css.explained}>
      <Card>
        <div className={css.explainedHead}>
          <Badge tone={eligible ? "good" : "warn"}>{eligible ? t("shows") : t("held")}</Badge>
          <Link to="/w/$workspace/deliveries" params={{ workspace }} search={{ open: explained.delivery_id }}>
            <code>{explained.message_id}</code>
          </Link>
          {next && <span className="quiet">{t("nextAt", { time: format.instant(next) })}</span>}
        </div>
        <ul className={css.gates}>
          {gates.map(({ gate, pass, detail }) => (
            <li key={gate} className={css.gate} data-pass={pass}>
              <Icon name={pass ? "check" : "close"} size={14} />
              <span className={css.gateName}>{t(`gate_${gate}`)}</span>
              <span>
                <span className="visually-hidden">{pass ? t("passes") : t("stops")}: </span>
                {detail}
              </span>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  );
}
