import { useCallback } from "react";
import { useTexts } from "../platform/language/texts.ts";
import { entryTexts } from "./entry-texts.ts";
import { texts } from "./texts.ts";

/** Returns the function that says what an entry of the log is about: "Email: Sent", "Did order_placed". */
export function useEntryWords(): (type: string, data: Record<string, unknown>) => string {
  const t = useTexts(texts);
  const say = useTexts(entryTexts);
  return useCallback(
    (type, data) => {
      const [about = "", what = ""] = type.split(".");
      if (type in entryTexts) return say(type as keyof typeof entryTexts, { name: String(data.name ?? "") });
      const words = what in texts ? t(what as keyof typeof texts) : what.replaceAll("_", " ");
      return `${about in texts ? t(about as keyof typeof texts) : about}: ${words}`;
    },
    [t, say],
  );
}

/** Shows the name of an entry as a part of a page. */
export const EntryName = ({ type, data }: { type: string; data: Record<string, unknown> }) => (
  <>{useEntryWords()(type, data)}</>
);
