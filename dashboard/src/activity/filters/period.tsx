import { NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../../platform/language/texts.ts";
import css from "../activity.module.css";
import { texts } from "../texts.ts";
import { type Changed, type DeliveriesSearch, periodNames } from "./search.ts";

/** An instant as a field for a local time writes it: in the zone of the browser, without seconds. */
function localOf(iso: string | undefined): string {
  if (!iso) return "";
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** When the deliveries were queued: one of the last periods, or from a time to another. */
export function Period({ search, onChange }: { search: DeliveriesSearch; onChange: (changed: Changed) => void }) {
  const t = useTexts(texts);
  const { period, since, until } = search;
  const [opened, setOpened] = useState(false);
  const own = period === undefined && (opened || since !== undefined || until !== undefined);
  const end = (name: "since" | "until") => (
    <TextInput
      type="datetime-local"
      aria-label={t(name)}
      className={css.end ?? ""}
      value={localOf(search[name])}
      onChange={({ currentTarget: { value } }) =>
        onChange({ [name]: value === "" ? undefined : new Date(value).toISOString() })
      }
    />
  );
  return (
    <>
      <NativeSelect
        aria-label={t("period")}
        className={css.filter ?? ""}
        data-set={period !== undefined || since !== undefined || until !== undefined}
        value={own ? "own" : (period ?? "")}
        onChange={({ currentTarget: { value } }) => {
          setOpened(value === "own");
          if (value === "own") onChange({ period: undefined });
          else onChange({ period: periodNames.find((one) => one === value), since: undefined, until: undefined });
        }}
        data={[
          { value: "", label: t("anyTime") },
          ...periodNames.map((value) => ({ value, label: t(value) })),
          { value: "own", label: t("ownPeriod") },
        ]}
      />
      {own && (
        <>
          {end("since")}
          {end("until")}
        </>
      )}
    </>
  );
}
