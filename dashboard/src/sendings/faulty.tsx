import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import css from "./sendings.module.css";
import { texts } from "./texts.ts";

/** On a tab behind which something is wrong. */
export function Faulty() {
  const t = useTexts(texts);
  return (
    <span className={css.faulty}>
      <Icon name="warn" size={14} />
      <span className="visually-hidden">{t("wrong")}</span>
    </span>
  );
}
