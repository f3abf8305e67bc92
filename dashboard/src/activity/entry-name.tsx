import { useTexts } from "../platform/language/texts.ts";
import { entryTexts } from "./entry-texts.ts";
import { texts } from "./texts.ts";

/** What an entry of the log says happened, in words: "Email: Sent", "Did order_placed". */
export function EntryName({ type, data }: { type: string; data: Record<string, unknown> }) {
  const t = useTexts(texts);
  const say = useTexts(entryTexts);
  const [about = "", what = ""] = type.split(".");
  if (type in entryTexts) return <>{say(type as keyof typeof entryTexts, { name: String(data.name ?? "") })}</>;
  const words = what in texts ? t(what as keyof typeof texts) : what.replaceAll("_", " ");
  return (
    <>
      {about in texts ? t(about as keyof typeof texts) : about}: {words}
    </>
  );
}
