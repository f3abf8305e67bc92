import { Button } from "@mantine/core";
import { connectionLost } from "../call/connection.ts";
import { useTexts } from "../language/texts.ts";
import { createStore, useStore } from "../store.ts";
import css from "./states.module.css";
import { texts } from "./texts.ts";

/** A part of the page could not be loaded, because the service has another version by now. */
const newer = createStore(false);
window.addEventListener("vite:preloadError", () => newer.set(true));

/** What holds for the whole page: the connection is lost, or the page is older than the service. */
export function Banners() {
  const t = useTexts(texts);
  const lost = useStore(connectionLost);
  const old = useStore(newer);
  return (
    <div role="status">
      {lost && <div className={css.bar}>{t("lost")}</div>}
      {old && !lost && (
        <div className={css.bar}>
          {t("newer")}
          <Button size="compact-xs" variant="default" onClick={() => window.location.reload()}>
            {t("reload")}
          </Button>
        </div>
      )}
    </div>
  );
}
