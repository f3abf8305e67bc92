import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Failures as FailuresShape } from "@tidings/contract/facts/activity";
import { useState } from "react";
import { failureOf } from "../../activity/failure/failure.ts";
import { failureTexts } from "../../activity/failure/texts.ts";
import { useRead } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Item, Lines, List } from "../../platform/look/parts.tsx";
import { type Broadcast, pathOf } from "../broadcast.ts";
import css from "../broadcasts.module.css";
import { texts as own } from "./texts.ts";

const texts = { ...failureTexts, ...own };
/** The reasons that are shown at first. */
const FEW = 5;

/** Why some deliveries did not arrive, the most frequent reason first. Each number opens the deliveries that it counts. */
export function Failures({ broadcast: { id, channel } }: { broadcast: Broadcast }) {
  const t = useTexts(texts);
  const [all, setAll] = useState(false);
  const { data } = useRead<FailuresShape>(`${pathOf(id)}/failures`);
  if (!data || data.data.length === 0) return null;
  const shown = all ? data.data : data.data.slice(0, FEW);
  const others = data.data.length - shown.length;
  return (
    <>
      <h3 className={css.subtitle}>{t("whyNot")}</h3>
      <List>
        {shown.map((group) => (
          <Reason key={`${group.status} ${group.reason}`} id={id} channel={channel} of={group} />
        ))}
      </List>
      {others > 0 && (
        <Button variant="subtle" size="compact-sm" onClick={() => setAll(true)}>
          {t("moreReasons", { count: others })}
        </Button>
      )}
      {!data.exact && <p className="quiet">{t("newestFailures")}</p>}
    </>
  );
}

interface ReasonProps {
  id: string;
  channel: Broadcast["channel"];
  of: FailuresShape["data"][number];
}

function Reason({ id, channel, of: { status, reason, count } }: ReasonProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  const failure = failureOf({ status, reason, channel });
  const said = failure ? t(failure.means) : (reason ?? status);
  return (
    <Item>
      <Lines>
        {said}
        {failure?.words && <span className={`${css.reasonWords} quiet`}>{failure.words}</span>}
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
