import { Autocomplete } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useRead } from "../../../platform/call/queries.ts";

interface NameFieldProps {
  label: string;
  description?: string;
  value: string;
  onChange: (name: string) => void;
  error?: string | undefined;
  off: boolean;
}
const PAUSE_MS = 200;

/** A name that the catalog knows, or another one that is typed. */
function CatalogField({ of, value, onChange, off, ...rest }: NameFieldProps & { of: "events" | "attributes" }) {
  const [q] = useDebouncedValue(value.trim(), PAUSE_MS);
  const found = useRead<{ data: { name: string }[] }>(`/catalog/${of}`, { limit: 20, ...(q && { q }) }, { keep: true });
  const names = [...new Set((found.data?.data ?? []).map(({ name }) => name))];
  return (
    <Autocomplete
      {...rest}
      disabled={off}
      value={value}
      onChange={onChange}
      data={names}
      maxLength={200}
      comboboxProps={{ withinPortal: true }}
    />
  );
}

/** The name of an event. */
export const EventField = (props: NameFieldProps) => <CatalogField of="events" {...props} />;
/** The name of an attribute of people. */
export const AttributeField = (props: NameFieldProps) => <CatalogField of="attributes" {...props} />;
