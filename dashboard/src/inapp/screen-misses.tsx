import { Button } from "@mantine/core";
import { useRead } from "../platform/call/queries.ts";
import { useTexts } from "../platform/language/texts.ts";
import { soughtOf } from "../platform/list/search.ts";
import css from "./inapp.module.css";
import { lookAlikes } from "./look-alikes.ts";
import { texts } from "./texts.ts";

type Screens = { data: { name: string }[] };
/** As many names as somebody reads, and as many as look-alikes are looked for among. */
const [OFFERED, COMPARED] = [20, 200];

/** Says that nobody has reported a screen, and which ones are written almost like it. */
export function ScreenMisses({ screen, onChange }: { screen: string; onChange: (screen: string) => void }) {
  const t = useTexts(texts);
  const named = useRead<Screens>("/screens", { limit: OFFERED, q: soughtOf(screen) });
  const some = useRead<Screens>("/screens", { limit: COMPARED });
  if (!named.data || !some.data) return null;
  const names = [...new Set([...named.data.data, ...some.data.data].map(({ name }) => name))];
  const known = names.includes(screen);
  const near = lookAlikes(screen, names).slice(0, 5);
  if (known && near.length === 0) return null;
  return (
    <p className={css.misses} role="status">
      {known ? t("wrongCase") : t("unknownScreen")} {near.length > 0 && t("youMean")}{" "}
      {near.map((name) => (
        <Button key={name} variant="default" size="compact-sm" onClick={() => onChange(name)}>
          {name}
        </Button>
      ))}
    </p>
  );
}
