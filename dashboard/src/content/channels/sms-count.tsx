import { useTexts } from "../../platform/language/texts.ts";
import { scan } from "../liquid/scan.ts";
import css from "./channels.module.css";
import { smsParts } from "./sms-parts.ts";
import { texts } from "./texts.ts";

/** The text without its Liquid, whose length nobody knows yet. */
function withoutLiquid(text: string): string {
  let [rest, at] = ["", 0];
  for (const { from, to } of scan(text).blocks) {
    rest += text.slice(at, from);
    at = to;
  }
  return rest + text.slice(at);
}

/** In how many parts an SMS is sent and paid, and why so many. */
export function SmsCount({ text }: { text: string }) {
  const t = useTexts(texts);
  const plain = withoutLiquid(text);
  const { parts, left, wide } = smsParts(plain);
  return (
    <p className={css.count}>
      {t("parts", { count: parts, left })}. {wide && t("wide", { char: wide })} {plain !== text && t("unfilled")}
    </p>
  );
}
