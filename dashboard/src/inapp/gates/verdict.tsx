import type { Explanations } from "@tidings/contract/inapp/explain";
import { Link } from "@tanstack/react-router";
import type { Static } from "typebox";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import { Badge, Card } from "../../platform/look/parts.tsx";
import { GateDetail } from "./gate-detail.tsx";
import css from "../inapp.module.css";
import { texts } from "../texts.ts";

export type Explained = Static<typeof Explanations>["data"][number];

interface VerdictProps {
  explained: Explained;
  /** The message's name, where it is known. */
  name: string | undefined;
  /** Somebody asks about this one. */
  marked: boolean;
  /** Whether `at` is the present, so that "from ... on" counts from it. */
  at: string | undefined;
}

/** Whether one message shows, the verdict of each gate, and when it will show. */
export function Verdict({ explained, name, marked, at }: VerdictProps) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const { eligible, gates, delivery_id: delivery, message_id: message } = explained;
  return (
    <li className={css.verdict} data-marked={marked}>
      <Card>
        <div className={css.head}>
          <Badge tone={eligible ? "good" : "warn"}>{eligible ? t("shows") : t("held")}</Badge>
          <h3 className={css.name}>{name ?? message}</h3>
          <Link
            to="/w/$workspace/deliveries"
            params={{ workspace }}
            search={{ open: delivery }}
            className={css.link ?? ""}
          >
            {t("delivery")}
          </Link>
        </div>
        <p className={css.when}>
          <When explained={explained} at={at} />
        </p>
        <ul className={css.gates}>
          {gates.map((one) => (
            <li key={one.gate} className={css.gate} data-pass={one.pass}>
              <Icon name={one.pass ? "check" : "close"} size={14} />
              <span className={css.gateName}>{t(`gate_${one.gate}`)}</span>
              <span>
                <span className="visually-hidden">{one.pass ? t("passes") : t("stops")}: </span>
                <GateDetail of={one} />
              </span>
            </li>
          ))}
        </ul>
      </Card>
    </li>
  );
}

function When({ explained: { eligible, gates, next_eligible_at: next }, at }: Pick<VerdictProps, "explained" | "at">) {
  const t = useTexts(texts);
  const format = useFormat();
  if (eligible) return t("showsNow");
  if (next)
    return t("showsFrom", { time: format.instant(next), ago: format.ago(next, at ? Date.parse(at) : undefined) });
  const failing = gates.filter(({ pass }) => !pass);
  return failing.every(({ gate }) => gate === "screen") ? t("never_screen") : t("never_other");
}
