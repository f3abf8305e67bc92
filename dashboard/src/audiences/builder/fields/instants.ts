const two = (n: number): string => String(n).padStart(2, "0");

/** Returns an instant as a field of the browser shows it, in the reader's own zone. */
export function localOf(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return "";
  const day = `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** Returns the instant of what such a field shows; "" for none. */
export function instantOf(local: string): string {
  const at = new Date(local);
  return local === "" || Number.isNaN(at.getTime()) ? "" : at.toISOString();
}
