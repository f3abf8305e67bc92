import { Link } from "@tanstack/react-router";
import type { Metrics } from "@tidings/contract/facts/activity";
import { type Metric, metricsOf, wholeOf } from "../../analytics/metrics.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import type { Broadcast } from "../broadcast.ts";
import css from "../broadcasts.module.css";
import { isCounted } from "./counted.ts";
import { texts } from "./texts.ts";

const BAD: ReadonlySet<Metric> = new Set(["bounced", "unsubscribed", "failed"]);

/** From everybody who was meant to those who clicked. Each number opens the deliveries that it counts. */
export function Funnel({ broadcast, numbers }: { broadcast: Broadcast; numbers: Metrics }) {
  const t = useTexts(texts);
  const { channel, progress } = broadcast;
  const most = Math.max(numbers.sent, numbers.failed, 1);
  return (
    <>
      <ol className={css.funnel}>
        {metricsOf(channel, numbers).map((name) => (
          <Stage key={name} name={name} most={most} broadcast={broadcast} numbers={numbers} />
        ))}
      </ol>
      {progress.held_out > 0 && <p className="quiet">{t("heldOut", { count: progress.held_out })}</p>}
    </>
  );
}

interface StageProps {
  name: Metric;
  most: number;
  broadcast: Broadcast;
  numbers: Metrics;
}

function Stage({ name, most, broadcast, numbers }: StageProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  const count = numbers[name];
  const whole = wholeOf(name, broadcast.channel, numbers);
  const counted = count > 0 || isCounted(name, broadcast);
  const share = whole && numbers[whole] > 0 ? count / numbers[whole] : undefined;
  return (
    <li className={css.stage}>
      <span className={css.stageName}>{t(name)}</span>
      <span className={css.stageBar}>
        <span
          className={css.stageFill}
          data-bad={BAD.has(name)}
          style={{ inlineSize: `${Math.min(count / most, 1) * 100}%` }}
        />
      </span>
      <span className={`${css.stageCount} numbers`}>
        {count > 0 ? (
          <Link
            to="/w/$workspace/deliveries"
            params={{ workspace }}
            search={{ source_id: broadcast.id, metric: name }}
            aria-label={`${t(name)}: ${format.number(count)}`}
          >
            {format.number(count)}
          </Link>
        ) : (
          <span className="quiet">{counted ? 0 : "–"}</span>
        )}
      </span>
      <span className={`${css.stageShare} quiet numbers`}>
        {counted
          ? whole && share !== undefined && t("ofWhole", { share: format.percent(share), whole: t(`whole_${whole}`) })
          : t("notCounted")}
      </span>
    </li>
  );
}
