import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Failures } from "@tidings/contract/facts/activity";
import { useState } from "react";
import { useRead } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Item, Lines, List } from "../../platform/look/parts.tsx";
import css from "../activity.module.css";
import { failureOf } from "./failure.ts";
import { failureTexts } from "./texts.ts";

/** The reasons that are shown at first. */
const FEW = 5;

interface FailureReasonsProps {
  room: "broadcasts" | "campaigns" | "transactionals";
  id: string;
}

/**
 * Why some deliveries of one source did not arrive, the most frequent reason first. Each number opens the deliveries that it counts, which say what
 * to do. Nothing is shown where all arrived.
 */
export function FailureReasons({ room, id }: FailureReasonsProps) {
  const t = useTexts(failureTexts);
  const [all, setAll] = useState(false);
  const { data } = useRead<Failures>(`/${room}/${id}/failures`);
  if (!data || data.data.length === 0) return null;
  const shown = all ? data.data : data.data.slice(0, FEW);
  const others = data.data.length - shown.length;
  return (
    <section aria-label={t("whyNot")}>
      <h3 className={css.reasonsTitle}>{t("whyNot")}</h3>
      <List>
        {shown.map((group) => (
          <Reason key={`${group.status} ${group.reason}`} id={id} of={group} />
        ))}
      </List>
      {others > 0 && (
        <Button variant="subtle" size="compact-sm" onClick={() => setAll(true)}>
          {t("moreReasons", { count: others })}
        </Button>
      )}
      {!data.exact && <p className="quiet">{t("newestFailures")}</p>}
    </section>
  );
}

function Reason({ id, of: { status, reason, count } }: { id: string; of: Failures["data"][number] }) {
  const t = useTexts(failureTexts);
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  const failure = failureOf({ status, reason });
  const said = failure ? t(failure.means) : (reason ?? status);
  return (
    <Item>
      <Lines>
        {said}
        {failure?.words && <q className={`${css.reasonWords} quiet`}>{failure.words}</q>}
      </Lines>
      <Link
        className="numbers"
        to="/w/$workspace/deliveries"
        params={{ workspace }}
        search={{ source_id: id, status, ...(reason !== null && { reason }) }}
        aria-label={`${said} ${format.number(count)}`}
      >
        {format.number(count)}
      </Link>
    </Item>
  );
}
