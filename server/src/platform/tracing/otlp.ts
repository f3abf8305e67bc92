import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { type Context, ROOT_CONTEXT, type SpanContext, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { ExportResultCode, parseTraceParent } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  type SpanExporter,
  TracerProvider,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace";
import { LRUCache } from "lru-cache";
import type { Log } from "../log.ts";
import type { OtherThread, Told } from "../threads/other-thread.ts";
import { version } from "../version.ts";
import type { TracingConfig } from "../compound-settings.ts";
import type { Span, SpanOptions, Traces } from "./traces.ts";

// The only file that loads OpenTelemetry: 94 ms of processor time and 24 MB of memory, which a process that is not traced does not pay.

/** How many things that wait in a queue are remembered with what queued them. The others are traced by their own id. */
const MOST_CARRIED = 20_000;
const EXPORT_TIMEOUT_MS = 3_000;
const EXPORT_EACH_MS = 1_000;
/** A stop of the process has 10 s for everything. */
const STOP_MS = 2_000;

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/** A span that has a place in a trace: ours, or that of a caller. */
interface Placed extends Span {
  readonly context: SpanContext;
}

/** What this thread carries, for the other one, which may do the work. */
const CARRIED: Told<{ id: string; context: SpanContext }> = "traces.carried";

/** Sends spans over OTLP, as HTTP and JSON. */
export function tracesOver(config: TracingConfig, log: Log, other: OtherThread | undefined): Traces {
  // The trace of a delivery that another process queued has the delivery's own id, which all processes know.
  let nextTraceId: string | undefined;
  const random = new RandomIdGenerator();
  const share = new TraceIdRatioBasedSampler(config.share);
  const making = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": config.serviceName, "service.version": version }),
    idGenerator: {
      generateTraceId: () => nextTraceId ?? random.generateTraceId(),
      generateSpanId: () => random.generateSpanId(),
    },
    // A caller may ask for less and never for more: anybody may send a `traceparent`.
    sampler: new ParentBasedSampler({
      root: share,
      remoteParentSampled: share,
      remoteParentNotSampled: new AlwaysOffSampler(),
    }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: exporterOf(config, log), scheduledDelayMillis: EXPORT_EACH_MS }),
    ],
  });
  const tracer = making.getTracer("tidings", version);
  const running = new AsyncLocalStorage<Span>();
  const carried = new LRUCache<string, Span>({ max: MOST_CARRIED });

  other?.on(CARRIED, ({ id, context }) => {
    carried.set(id, { ...placeOf(context), end() {} });
  });

  function start(name: string, { kind, parent, of, attributes = {} }: SpanOptions = {}): Span {
    const context = contextOf(parent ?? (of === undefined ? running.getStore() : carried.get(of)));
    nextTraceId = context === ROOT_CONTEXT ? of?.replaceAll("-", "") : undefined;
    try {
      const options = { attributes, ...(kind && { kind: KINDS[kind] }) };
      return placed(tracer.startSpan(name, options, context));
    } finally {
      nextTraceId = undefined;
    }
  }

  return {
    on: true,
    start,
    within: (span, work) => running.run(span, work),
    current: () => running.getStore(),
    carry(id, span) {
      if (!span) return;
      carried.set(id, span);
      const { traceId, spanId, traceFlags } = (span as Placed).context;
      other?.tell(CARRIED, { id, context: { traceId, spanId, traceFlags } });
    },
    carried: (id) => carried.get(id),
    stop: () => Promise.race([making.shutdown(), sleep(STOP_MS, undefined, { ref: false })]).catch(() => {}),
  };
}

function placed(span: ReturnType<ReturnType<TracerProvider["getTracer"]>["startSpan"]>): Placed {
  return {
    ...placeOf(span.spanContext()),
    end(attributes = {}, failed) {
      span.setAttributes(attributes);
      if (failed !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failed });
      span.end();
    },
  };
}

const placeOf = (context: SpanContext): Omit<Placed, "end"> => ({
  context,
  traceparent: `00-${context.traceId}-${context.spanId}-0${context.traceFlags & 1}`,
});

function contextOf(parent: Span | string | undefined): Context {
  const place = typeof parent === "string" ? remote(parseTraceParent(parent)) : (parent as Placed | undefined)?.context;
  return place ? trace.setSpanContext(ROOT_CONTEXT, place) : ROOT_CONTEXT;
}

const remote = (place: SpanContext | null): SpanContext | undefined =>
  place ? { ...place, isRemote: true } : undefined;

function exporterOf({ endpoint, headers }: TracingConfig, log: Log): SpanExporter {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers, timeoutMillis: EXPORT_TIMEOUT_MS });
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== ExportResultCode.SUCCESS)
          log.warn({ err: result.error?.message, spans: spans.length }, "traces could not be sent, and are lost");
        done(result);
      }),
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}
