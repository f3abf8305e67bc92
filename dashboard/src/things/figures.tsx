import type { Metrics } from "@tidings/contract/facts/activity";
import { useRead } from "../platform/call/queries.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Answer, Loading } from "../platform/states/states.tsx";
import { texts } from "./texts.ts";
import css from "./things.module.css";

const names = ["sent", "delivered", "shown", "opened", "clicked", "bounced", "unsubscribed", "failed"] as const;

/** What became of its deliveries. */
export function Figures({ path }: { path: string }) {
  const t = useTexts(texts);
  const format = useFormat();
  const read = useRead<Metrics>(`${path}/metrics`);
  return (
    <Answer of={read} loading={<Loading rows={2} />}>
      {(numbers) => (
        <dl className={`${css.figures} numbers`}>
          {names.map((name) => (
            <div key={name}>
              <dt>{t(`count_${name}`)}</dt>
              <dd>{format.number(numbers[name])}</dd>
            </div>
          ))}
        </dl>
      )}
    </Answer>
  );
}
