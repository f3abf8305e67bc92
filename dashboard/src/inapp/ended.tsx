import { Link } from "@tanstack/react-router";
import type { Delivery } from "../activity/delivery.ts";
import { failureOf } from "../activity/failure/failure.ts";
import { failureTexts } from "../activity/failure/texts.ts";
import { Status } from "../activity/status.tsx";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import css from "./inapp.module.css";
import { texts } from "./texts.ts";

interface EndedProps {
  deliveries: readonly Delivery[];
  names: ReadonlyMap<string, string>;
  /** The delivery that somebody asks about. */
  marked: string | undefined;
}

/** Messages that are no longer in the queue of a person, each with the reason. */
export function Ended({ deliveries, names, marked }: EndedProps) {
  const { id: workspace } = useWorkspace();
  return (
    <ul className={css.plain}>
      {deliveries.map((delivery) => (
        <li key={delivery.id} className={css.ended} data-marked={delivery.id === marked}>
          <div className={css.head}>
            <Status of={delivery.status} />
            <Link
              to="/w/$workspace/deliveries"
              params={{ workspace }}
              search={{ open: delivery.id }}
              className={`${css.name} ${css.link}`}
            >
              {names.get(delivery.message_id ?? "") ?? delivery.message_id ?? delivery.id}
            </Link>
          </div>
          <p className="quiet">
            <WhyOver delivery={delivery} />
          </p>
        </li>
      ))}
    </ul>
  );
}

/** In a sentence, why a delivery is over. */
export function WhyOver({ delivery }: { delivery: Delivery }) {
  const t = useTexts(texts);
  const say = useTexts(failureTexts);
  const format = useFormat();
  const failure = failureOf(delivery);
  if (failure) return say(failure.means);
  const { status, dismissed_at: dismissed, clicked_at: clicked, shown_at: shown, queued_at: queued } = delivery;
  if (status === "dismissed") return t("over_dismissed", { time: format.ago(dismissed ?? queued) });
  if (clicked) return t("over_clicked", { time: format.ago(clicked) });
  return t("over_shown", { time: format.ago(shown ?? queued) });
}
