import { Button, Menu } from "@mantine/core";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import type { Range } from "./time/period.ts";
import { type AnalyticsSearch, scopeOf } from "./search.ts";
import { texts } from "./texts.ts";

interface DownloadProps {
  range: Range;
  bucket: "hour" | "day";
  search: AnalyticsSearch;
}

/** The numbers of the page as CSV. A file comes as fast as the browser reads it, so these are links and no calls. */
export function Download({ range: { from, to }, bucket, search }: DownloadProps) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const by = search.by ?? "source_id";
  const address = (path: string, query: Record<string, string>) =>
    `/api/v1${path}?${new URLSearchParams({ workspace, from, to, ...scopeOf(search), ...query })}`;
  const overTime = address("/analytics/export", { bucket, ...(by !== "source_id" && { by }) });
  const broken = address("/analytics/metrics/export", { by });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="download" />}>
          {t("csv")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={overTime} download>
          {t(bucket === "hour" ? "csvHours" : "csvDays")}
        </Menu.Item>
        <Menu.Item component="a" href={broken} download>
          {t(`csv_${by}`)}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
