/** Traces over OTLP, by the standard variables of OpenTelemetry. */
export interface TracingConfig {
  endpoint: string;
  headers: Record<string, string>;
  serviceName: string;
  /** The share of traces that is made, from 0 to 1. */
  share: number;
}

/** Reads the share of traces. @throws the sentence of the problem */
export function shareOf(text: string): number {
  const value = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= 0 && value <= 1)) throw "must be a number from 0 to 1";
  return value;
}

/** Reads `name=value,name=value`, with percent-encoded values. @throws the sentence of the problem */
export function headersOf(text: string): Record<string, string> {
  const parts = text.split(",").filter((part) => part.trim() !== "");
  return Object.fromEntries(parts.map(headerOf));
}

function headerOf(part: string): [string, string] {
  const [name = "", value] = part.trim().split(/=(.*)/s);
  try {
    if (/^[\w!#$%&'*+.^`|~-]+$/.test(name) && value !== undefined) return [name, decodeURIComponent(value)];
  } catch {
    // Not percent-encoded, and no header either.
  }
  throw "must be headers such as authorization=Bearer%20abc, separated by commas";
}
