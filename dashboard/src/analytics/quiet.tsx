import type { Breakdown } from "@tidings/contract/facts/analytics";
import { Button, Group } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useRead } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Answer, Empty } from "../platform/states/states.tsx";
import { type AnalyticsSearch, type Change, scopeOf } from "./search.ts";
import { texts } from "./texts.ts";

/** Instead of zeros: nothing was ever sent, and how to begin; or nothing in this period, or with these filters. */
export function Quiet({ search, onChange }: { search: AnalyticsSearch; onChange: (change: Change) => void }) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const ever = useRead<Breakdown>("/analytics/metrics");
  const filtered = Object.keys(scopeOf(search)).length > 0;
  return (
    <Answer of={ever}>
      {({ totals }) =>
        Object.values(totals).every((number) => number === 0) ? (
          <Empty
            icon="chart"
            title={t("first")}
            action={
              <Button renderRoot={(props) => <Link to="/w/$workspace" params={{ workspace }} {...props} />}>
                {t("firstSteps")}
              </Button>
            }
          >
            <p>{t("firstBody")}</p>
            <code>POST /data-gateway/transactionals/email</code>
          </Empty>
        ) : (
          <Empty
            icon="chart"
            title={t("quiet")}
            action={
              <Group gap="xs" justify="center">
                {filtered && (
                  <Button
                    variant="default"
                    onClick={() => onChange({ channel: undefined, source: undefined, source_id: undefined })}
                  >
                    {t("clear")}
                  </Button>
                )}
                {search.period !== "12m" && (
                  <Button variant="default" onClick={() => onChange({ period: "12m", from: undefined, to: undefined })}>
                    {t("period_12m")}
                  </Button>
                )}
              </Group>
            }
          >
            {t("quietBody")}
          </Empty>
        )
      }
    </Answer>
  );
}
