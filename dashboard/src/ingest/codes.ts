import { useTexts } from "../platform/language/texts.ts";
import { adviceTexts, titleTexts } from "./code-texts.ts";

/** Writes what is wrong, and what to do about it. */
export function useCodes() {
  const title = useTexts(titleTexts);
  const advice = useTexts(adviceTexts);
  return {
    /** What is not known is written as the service calls it. */
    titleOf: (code: string) =>
      code in titleTexts ? title(code as keyof typeof titleTexts) : code.replaceAll("_", " "),
    adviceOf: (code: string) => (code in adviceTexts ? advice(code as keyof typeof adviceTexts) : undefined),
  };
}
