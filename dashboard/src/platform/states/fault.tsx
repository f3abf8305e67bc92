import { Refusal, Unreached } from "../call/refusal.ts";
import { useLanguage } from "../language/language.ts";
import { useTexts } from "../language/texts.ts";
import { faultTexts } from "./fault-texts.ts";
import { Said } from "./said.tsx";
import { texts } from "./texts.ts";

/** Says what went wrong, in one line: that no answer came, or the service's own words. A reader of another language than English first reads what they mean. */
export function Fault({ of }: { of: Error }) {
  const t = useTexts(texts);
  const meaning = useTexts(faultTexts);
  const language = useLanguage();
  if (of instanceof Unreached) return t("unreached");
  if (!(of instanceof Refusal)) return of.message;
  const isKnown = of.code !== undefined && of.code in faultTexts;
  const lead = isKnown && language !== "en" ? meaning(of.code as keyof typeof faultTexts) : "";
  return (
    <>
      {lead && `${lead} `}
      <Said>{of.message}</Said>
    </>
  );
}
