import type { Series } from "@tidings/contract/facts/analytics";
import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useRead } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Section } from "../platform/look/parts.tsx";
import { Answer, Loading } from "../platform/states/states.tsx";
import css from "./home.module.css";
import { texts } from "./texts.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const shown = ["sent", "delivered", "shown", "opened", "clicked", "bounced"] as const;

/** What happened in the last seven days of the workspace's calendar, in numbers. Each opens the deliveries that it counts. */
export function Week() {
  const t = useTexts(texts);
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  // Of the hour, so that drawing the page again asks the same.
  const from = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 6 * DAY_MS).toISOString();
  const read = useRead<Series>("/analytics", { bucket: "day", from }, { keep: true });
  const all = (
    <Anchor
      size="sm"
      renderRoot={(props) => (
        <Link to="/w/$workspace/analytics" params={{ workspace }} search={{ period: "7d" }} {...props} />
      )}
    >
      {t("analytics")}
    </Anchor>
  );
  return (
    <Section title={t("week")} aside={all}>
      <Answer of={read} loading={<Loading rows={2} height={28} />}>
        {({ totals, from: since, to }) => (
          <dl className={`${css.strip} ${css.numbers} numbers`}>
            {shown.map((metric) => (
              <div key={metric}>
                <dt>{t(metric)}</dt>
                <dd>
                  {totals[metric] === 0 ? (
                    "0"
                  ) : (
                    <Link to="/w/$workspace/deliveries" params={{ workspace }} search={{ metric, from: since, to }}>
                      {format.number(totals[metric])}
                    </Link>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Answer>
    </Section>
  );
}
