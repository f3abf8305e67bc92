import { Button, Select, TextInput } from "@mantine/core";
import { useMemo } from "react";
import { PersonField } from "../find-person/person-field.tsx";
import { useTexts } from "../platform/language/texts.ts";
import { timeZones } from "../platform/language/zones.ts";
import { ScreenField } from "../screens/screen-field.tsx";
import css from "./inapp.module.css";
import { ScreenMisses } from "./screen-misses.tsx";
import type { ExplainSearch } from "./search.ts";
import { texts } from "./texts.ts";
import { instantIn, localIn } from "./zoned.ts";

interface QuestionProps {
  search: ExplainSearch;
  onChange: (changed: { [K in keyof ExplainSearch]: ExplainSearch[K] | undefined }) => void;
  /** The zone that holds where none is chosen, in words, and the one in which the time is meant. */
  zone: { other: string; meant: string };
}

/** Who, on which screen, when, and in which zone. */
export function Question({ search, onChange, zone }: QuestionProps) {
  const t = useTexts(texts);
  const { person = "", screen = "", at, timezone } = search;
  const zones = useMemo(timeZones, []);
  return (
    <search aria-label={t("question")}>
      <div className={css.question}>
        <PersonField
          label={t("person")}
          value={person}
          onChange={(id) => onChange({ person: id || undefined, delivery: undefined })}
        />
        <ScreenField
          label={t("screen")}
          placeholder={t("screenPlaceholder")}
          value={screen}
          onChange={(name) => onChange({ screen: name || undefined })}
        />
        <div className={css.time}>
          <TextInput
            type="datetime-local"
            label={t("time")}
            value={at ? localIn(zone.meant, at) : ""}
            onChange={({ currentTarget: { value } }) =>
              onChange({ at: value === "" ? undefined : instantIn(zone.meant, value) })
            }
          />
          <Button
            variant={at ? "default" : "light"}
            aria-pressed={!at}
            title={t("nowHint")}
            onClick={() => onChange({ at: undefined })}
          >
            {t("now")}
          </Button>
        </div>
        <Select
          label={t("zone")}
          placeholder={zone.other}
          searchable
          clearable
          clearButtonProps={{ "aria-label": zone.other }}
          nothingFoundMessage={t("noZone")}
          limit={50}
          value={timezone ?? null}
          onChange={(value) => onChange({ timezone: value ?? undefined })}
          // A zone of the address that the browser does not list is still the one that is asked about.
          data={timezone && !zones.includes(timezone) ? [timezone, ...zones] : zones}
        />
      </div>
      {screen && <ScreenMisses screen={screen} onChange={(name) => onChange({ screen: name })} />}
    </search>
  );
}
