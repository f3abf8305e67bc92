import { Title } from "@mantine/core";
import type { ReactNode } from "react";
import icon from "../../icon.svg";
import { type Language, languages, setLanguage, useLanguage } from "../../platform/language/language.ts";
import { Banners } from "../../platform/states/banners.tsx";
import css from "./door.module.css";

/** The frame of the pages before one is signed in. */
export function Door({ title, lead, children }: { title: string; lead?: ReactNode; children?: ReactNode }) {
  const language = useLanguage();
  return (
    <>
      <Banners />
      <main className={css.door}>
        <title>{`${title} · Tidings`}</title>
        <div className={css.card}>
          <div className={css.brand}>
            <img src={icon} alt="" width={24} height={24} />
            Tidings
          </div>
          <Title order={1}>{title}</Title>
          {lead && <p className={css.lead}>{lead}</p>}
          {children}
        </div>
        <div className={css.foot}>
          <select
            aria-label="Language / Sprache"
            value={language}
            onChange={(event) => setLanguage(event.currentTarget.value as Language)}
          >
            {Object.entries(languages).map(([code, name]) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        </div>
      </main>
    </>
  );
}
