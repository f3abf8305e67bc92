import { Radio, Stack } from "@mantine/core";
import type { Inside } from "@tidings/contract/campaigns/campaigns";
import { stepsIn } from "@tidings/contract/campaigns/journey";
import { useFormat } from "../../../platform/language/format.ts";
import { useTexts } from "../../../platform/language/texts.ts";
import { Badge, Item, Lines, List, Note } from "../../../platform/look/parts.tsx";
import type { Campaign } from "../../campaign-shape.ts";
import css from "../operate.module.css";
import { useStepNames } from "../steps.ts";
import { texts } from "./texts.ts";

/** How many people are inside, and at which step. */
export interface InsideCounts {
  total: number;
  steps: Record<string, number>;
}

/** Returns how many runs can move to these steps, and how many are at a step that no longer exists. */
export function movable({ steps }: Pick<Campaign, "steps">, inside: InsideCounts): { moved: number; ends: number } {
  const ids = new Set(stepsIn(steps).map(({ id }) => id));
  const moved = Object.entries(inside.steps).reduce((sum, [id, count]) => sum + (ids.has(id) ? count : 0), 0);
  return { moved, ends: inside.total - moved };
}

interface InsideChoiceProps {
  campaign: Campaign;
  inside: InsideCounts;
  value: Inside | undefined;
  onChange: (choice: Inside) => void;
}

/** Shows where the people inside are, and asks what becomes of them. */
export function InsideChoice({ campaign, inside, value, onChange }: InsideChoiceProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const nameOf = useStepNames(campaign.steps);
  const ids = new Set(stepsIn(campaign.steps).map(({ id }) => id));
  const { moved, ends } = movable(campaign, inside);
  const count = inside.total;
  const bodies: Record<Inside, string> = {
    stay: t("stayBody", { count }),
    move: [t("moveBody", { moved }), ends > 0 && t("moveEnds", { count: ends })].filter(Boolean).join(" "),
    end: t("endBody", { count }),
  };
  return (
    <>
      <Note tone="warn">{t("inside", { count })}</Note>
      <div>
        <h3 className={css.small}>{t("whereNow")}</h3>
        <List>
          {Object.entries(inside.steps).map(([id, runs]) => (
            <Item key={id}>
              <Lines>
                <span>{nameOf(id)}</span>
              </Lines>
              {!ids.has(id) && <Badge tone="warn">{t("gone")}</Badge>}
              <strong className="numbers">{format.number(runs)}</strong>
            </Item>
          ))}
        </List>
      </div>
      <Radio.Group label={t("whatNow")} value={value ?? null} onChange={(choice) => onChange(choice as Inside)}>
        <Stack gap="sm" mt="xs">
          {(["stay", "move", "end"] as const).map((one) => (
            <Radio key={one} value={one} label={t(one)} description={bodies[one]} />
          ))}
        </Stack>
      </Radio.Group>
    </>
  );
}
