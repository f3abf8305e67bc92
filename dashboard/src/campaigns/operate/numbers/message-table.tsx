import { stepsIn } from "@tidings/contract/campaigns/journey";
import type { StepCounts } from "@tidings/contract/campaigns/runs";
import type { Channel } from "@tidings/contract/facts/activity";
import { Behind } from "../../../analytics/behind.tsx";
import { useTexts } from "../../../platform/language/texts.ts";
import { Section } from "../../../platform/look/parts.tsx";
import { Table } from "../../../platform/look/table.tsx";
import type { Campaign } from "../../campaign-shape.ts";
import { texts } from "./texts.ts";

const figures = ["sent", "delivered", "shown", "opened", "clicked", "failed"] as const;
/** What a channel never reports. */
const unknown: Partial<Record<Channel, readonly string[]>> = {
  email: ["shown"],
  push: ["shown"],
  sms: ["shown", "opened"],
  in_app: ["delivered", "opened"],
};

/** The messages of each step by channel: each number opens its deliveries. */
export function MessageTable({ campaign, counts }: { campaign: Campaign; counts: Record<string, StepCounts> }) {
  const t = useTexts(texts);
  const order = stepsIn(campaign.steps).map(({ id }) => id);
  const ids = [...new Set([...order, ...Object.keys(counts)])];
  const rows = ids.flatMap((id) =>
    Object.entries(counts[id]?.messages?.channels ?? {}).map(([channel, numbers]) => ({
      id,
      channel: channel as Channel,
      numbers,
    })),
  );
  if (rows.length === 0) return null;
  const shown = figures.filter((name) => rows.some(({ channel }) => !unknown[channel]?.includes(name)));
  return (
    <Section title={t("messages")}>
      <Table dense>
        <thead>
          <tr>
            <th scope="col">{t("step")}</th>
            <th scope="col">{t("channel")}</th>
            {shown.map((name) => (
              <th key={name} scope="col" data-right>
                {t(name === "failed" ? "messageFailed" : name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, channel, numbers }) => (
            <tr key={`${id} ${channel}`}>
              <th scope="row">{id}</th>
              <td>{t(channel)}</td>
              {shown.map((name) => (
                <td key={name} data-right className="numbers">
                  {!unknown[channel]?.includes(name) && (
                    <Behind
                      value={numbers[name]}
                      of={{ source_id: campaign.id, step: id, channel, metric: name }}
                      label={`${id}, ${t(channel)}, ${t(name === "failed" ? "messageFailed" : name)}`}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  );
}
