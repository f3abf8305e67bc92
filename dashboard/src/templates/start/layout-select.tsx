import { NativeSelect } from "@mantine/core";
import { useRead } from "../../platform/call/queries.ts";
import { useTexts } from "../../platform/language/texts.ts";
import type { LayoutRow } from "../template.ts";
import { texts } from "../texts.ts";

/** As many as the service gives at once. */
const MOST = 200;

/** Reads the layouts that a template can have. */
export const useLayouts = () => useRead<{ data: LayoutRow[] }>("/email-layouts", { limit: MOST, sort: "name" });

interface LayoutSelectProps {
  name?: string;
  value: string;
  onChange: (id: string) => void;
  error?: string | undefined;
  disabled?: boolean;
}

/** Chooses the layout around a template; empty is none. */
export function LayoutSelect({ name = "layout_id", value, onChange, error, disabled = false }: LayoutSelectProps) {
  const t = useTexts(texts);
  const { data } = useLayouts();
  const rows = data?.data ?? [];
  const known = value === "" || rows.some(({ id }) => id === value);
  return (
    <NativeSelect
      label={t("layout")}
      name={name}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      disabled={disabled}
      data={[
        { value: "", label: t("noLayout") },
        ...rows.map((row) => ({ value: row.id, label: `${row.name} (${row.format === "mjml" ? "MJML" : "HTML"})` })),
        ...(known ? [] : [{ value, label: value }]),
      ]}
    />
  );
}
