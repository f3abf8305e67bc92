// Variables whose text has parts of its own.

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

/** The parts of NATS_URL; the field names are those of the NATS client. */
export interface NatsServers {
  /** Each is "host:port" without credentials, so it may be logged. */
  servers: string[];
  tls: boolean;
  user?: string;
  pass?: string;
  token?: string;
}

/** Reads NATS_URL. @throws the sentence of its problem, without the value */
export function natsServers(text: string): NatsServers {
  const urls = text.split(",").map((part) => {
    const url = part.trim();
    if (!/^(nats|tls):\/\//.test(url) || !URL.canParse(url))
      throw "must be nats:// or tls:// addresses, separated by commas";
    return new URL(url);
  });
  const [first] = urls as [URL];
  for (const url of urls) {
    if (!url.hostname || !/^\/?$/.test(url.pathname) || url.search || url.hash)
      throw "must name a host, and a port where it is not 4222, and nothing behind it";
    // The client knows one set of credentials for the whole cluster.
    if (url.protocol !== first.protocol || url.username !== first.username || url.password !== first.password)
      throw "must have the same scheme and the same credentials for each server";
  }
  const [user, pass] = [decoded(first.username), decoded(first.password)];
  return {
    servers: urls.map((url) => `${url.hostname}:${url.port || 4222}`),
    tls: first.protocol === "tls:",
    ...(pass ? { user, pass } : user && { token: user }),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw "has credentials that are not percent-encoded";
  }
}
