import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Item, Lines } from "../platform/look/parts.tsx";
import { texts } from "./reason-texts.ts";
import css from "./sendings.module.css";

interface ReasonProps {
  /** As a preflight names it; one that has no text of its own is shown as it is. */
  name: string;
  count: number;
  samples: string[] | undefined;
}

/** How many people get a message later or not at all for one reason, with some of them to look at. */
export function Reason({ name, count, samples }: ReasonProps) {
  const t = useTexts(texts);
  const format = useFormat();
  return (
    <Item>
      <Lines>
        {name in texts ? t(name as keyof typeof texts) : name}
        <Samples of={samples} />
      </Lines>
      <strong className="numbers">{format.number(count)}</strong>
    </Item>
  );
}

/** Some people, each with the way to them. */
export function Samples({ of = [] }: { of: string[] | undefined }) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  if (of.length === 0) return null;
  return (
    <span className={`${css.samples} quiet`}>
      {t("suchAs")}
      {of.map((person) => (
        <Link key={person} to="/w/$workspace/people/$person" params={{ workspace, person }} className="cut">
          {person}
        </Link>
      ))}
    </span>
  );
}
