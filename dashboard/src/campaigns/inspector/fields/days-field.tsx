import { Chip, Group, Input } from "@mantine/core";
import type { Weekday } from "@tidings/contract/hours";
import { useLocale } from "../../../platform/language/format.ts";

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const satisfies readonly Weekday[];
/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1);

interface DaysFieldProps {
  label: string;
  description?: string;
  value: readonly Weekday[];
  onChange: (days: Weekday[]) => void;
  error?: string | undefined;
  off: boolean;
}

/** Days of the week. */
export function DaysField({ label, description, value, onChange, error, off }: DaysFieldProps) {
  const day = new Intl.DateTimeFormat(useLocale(), { weekday: "short", timeZone: "UTC" });
  return (
    <Input.Wrapper component="fieldset" label={label} description={description} error={error} labelElement="div">
      <Group gap={4} mt={4} role="group" aria-label={label}>
        <Chip.Group multiple value={[...value]} onChange={(to) => onChange(DAYS.filter((one) => to.includes(one)))}>
          {DAYS.map((one, i) => (
            <Chip key={one} value={one} size="xs" disabled={off}>
              {day.format(MONDAY + i * 86_400_000)}
            </Chip>
          ))}
        </Chip.Group>
      </Group>
    </Input.Wrapper>
  );
}
