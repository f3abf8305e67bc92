import { listsOf } from "@tidings/contract/campaigns/journey";
import type { StepCounts } from "@tidings/contract/campaigns/runs";
import type { Step } from "@tidings/contract/campaigns/steps";
import { useTexts } from "../../../platform/language/texts.ts";
import { Table } from "../../../platform/look/table.tsx";
import { useWords } from "../../words/use-words.ts";
import type { RunFilters } from "../search.ts";
import { Figure } from "./figure.tsx";
import { texts } from "./texts.ts";

const figures = ["entered", "waiting", "passed", "failed", "exited", "converted"] as const;
type FigureName = (typeof figures)[number];

/** Returns the runs that a number of a step counts. */
export const runsOfStep = (step: string, figure: FigureName): RunFilters => {
  if (figure === "waiting") return { step };
  return figure === "converted" ? { step, converted: true } : { step, state: figure };
};

/** Returns the steps in their order with the number of lists around each. */
export const withDepth = (steps: Step[], depth = 0): { step: Step; depth: number }[] =>
  steps.flatMap((step) => [
    { step, depth },
    ...listsOf(step, "").flatMap(({ steps: own }) => withDepth(own, depth + 1)),
  ]);

interface StepTableProps {
  campaign: string;
  steps: Step[];
  counts: Record<string, StepCounts>;
  /** Whether each number opens its runs. A replay has none. */
  links?: boolean;
}

/** Each step of the journey with what became of the runs there. Steps that the journey no longer has are at the end. */
export function StepTable({ campaign, steps, counts, links = false }: StepTableProps) {
  const t = useTexts(texts);
  const words = useWords();
  const here = withDepth(steps);
  const gone = Object.keys(counts).filter((id) => !here.some(({ step }) => step.id === id));
  const rows = [
    ...here.map(({ step, depth }) => ({ id: step.id, depth, title: words.title(step) })),
    ...gone.map((id) => ({ id, depth: 0, title: t("gone") })),
  ].filter(({ id }) => counts[id] !== undefined);
  const shown = figures.filter(
    (name) => name !== "converted" || rows.some(({ id }) => counts[id]?.converted !== undefined),
  );
  return (
    <Table dense>
      <thead>
        <tr>
          <th scope="col">{t("step")}</th>
          {shown.map((name) => (
            <th key={name} scope="col" data-right>
              {t(name)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, depth, title }) => (
          <tr key={id}>
            <th scope="row" style={{ paddingLeft: 12 + Math.min(depth, 6) * 16 }}>
              {id} <span className="quiet">{title}</span>
            </th>
            {shown.map((name) => (
              <td key={name} data-right className="numbers">
                <Figure
                  campaign={campaign}
                  value={counts[id]?.[name] ?? 0}
                  of={links ? runsOfStep(id, name) : undefined}
                  label={`${id}, ${t(name)}`}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
