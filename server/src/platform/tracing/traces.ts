// What the code says about its work for traces. Without OTEL_EXPORTER_OTLP_ENDPOINT it says it to NOT_TRACED, and nothing of OpenTelemetry is loaded.

export type Attributes = Record<string, string | number | boolean | undefined>;

/** A piece of work with a beginning and an end. */
export interface Span {
  /** The header `traceparent` of W3C, for calls that belong to the work; undefined where nothing is traced. */
  readonly traceparent: string | undefined;
  /** Ends the work. @param failed in a few words, why it failed */
  end(attributes?: Attributes, failed?: string): void;
}

export interface SpanOptions {
  /** Who is on the other side: a caller (server), a queue (producer, consumer), whom we call (client), or nobody. */
  kind?: "server" | "client" | "producer" | "consumer";
  /** What the work is part of: a span, or a `traceparent` that a caller sent. Undefined: the work that runs now. */
  parent?: Span | string | undefined;
  /** The UUID of what was queued: the work is part of what queued it, if that was in this process; else of the trace with this id. */
  of?: string;
  attributes?: Attributes;
}

/** The traces of a process. */
export interface Traces {
  /** Whether anything is traced: ask it before work that only traces need. */
  readonly on: boolean;
  start(name: string, options?: SpanOptions): Span;
  /** Runs work as part of a span. */
  within<T>(span: Span, work: () => T): T;
  /** Returns the span whose work runs now. */
  current(): Span | undefined;
  /** Keeps in memory what queued the thing with this UUID, so that the work on it becomes part of the same trace. */
  carry(id: string, span: Span | undefined): void;
  /** Returns what `carry` kept. */
  carried(id: string): Span | undefined;
  /** Sends what is left, for two seconds at the most. */
  stop(): Promise<void>;
}

const NO_SPAN: Span = { traceparent: undefined, end() {} };

/** The traces of a process that is not traced. */
export const NOT_TRACED: Traces = {
  on: false,
  start: () => NO_SPAN,
  within: (_span, work) => work(),
  current: () => undefined,
  carry() {},
  carried: () => undefined,
  async stop() {},
};

/** Runs a piece of work as a span, and ends the span with it. */
export async function traced<T>(
  traces: Traces,
  [name, options]: [name: string, options?: SpanOptions],
  work: (span: Span) => Promise<T>,
  about?: (result: T) => Attributes,
): Promise<T> {
  if (!traces.on) return work(NO_SPAN);
  const span = traces.start(name, options);
  try {
    const result = await traces.within(span, () => work(span));
    span.end(about?.(result));
    return result;
  } catch (error) {
    span.end({}, (error as Error).name);
    throw error;
  }
}
