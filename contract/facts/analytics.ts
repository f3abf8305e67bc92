import { type Static, Type } from "typebox";
import { Channel, Metrics, Source } from "./activity.ts";
import { Instant, ListQuery, Nullable, OneOf } from "../primitives.ts";

const Scope = {
  channel: Type.Optional(Channel),
  source: Type.Optional(Source),
  source_id: Type.Optional(
    Type.String({
      maxLength: 3_200,
      description: "Ids of the sources that sent it, e.g. `bc_...`: up to 100, separated by commas.",
    }),
  ),
};
const at = (description: string) => Type.Optional(Type.Unsafe<string>({ ...Instant, description }));

export const SeriesQuery = Type.Object({
  from: at("From the bucket that holds it. 30 days, or 48 hours, before `to` unless given."),
  to: at("To the end of the bucket that holds what is right before it. Now unless given."),
  bucket: Type.Optional(OneOf(["hour", "day"], { default: "day" })),
  by: Type.Optional(
    OneOf(["channel", "source"], { description: "Adds the same numbers for each channel or source, as `parts`." }),
  ),
  ...Scope,
});
export type SeriesQuery = Static<typeof SeriesQuery>;

export const SeriesBucket = Type.Object({ start: Instant, end: Instant, ...Metrics.properties });
export const Series = Type.Object({
  from: Instant,
  to: Instant,
  bucket: OneOf(["hour", "day"]),
  timezone: Type.String({ description: "The workspace's time zone, in which hours and days are counted." }),
  totals: Metrics,
  data: Type.Array(SeriesBucket),
  parts: Type.Optional(
    Type.Array(
      Type.Object({
        channel: Type.Optional(Channel),
        source: Type.Optional(Source),
        totals: Metrics,
        data: Type.Array(SeriesBucket),
      }),
    ),
  ),
});
export type Series = Static<typeof Series>;

const Times = {
  from: at("When it happened; down to the quarter of an hour. Open unless given."),
  to: at("Before it; up to the quarter of an hour. Open unless given."),
};
const by = Type.Optional(OneOf(["channel", "source", "source_id"], { default: "channel" }));

const metrics = Object.keys(Metrics.properties) as (keyof Metrics)[];
export const BreakdownQuery = Type.Object({
  ...ListQuery,
  ...Times,
  ...Scope,
  by,
  sort: Type.Optional(
    OneOf([...metrics, ...metrics.map((metric) => `-${metric}` as const)], {
      description:
        "Only with `by=source_id`: by this number, with `-` the largest first. Default: the newest source first.",
    }),
  ),
});
export type BreakdownQuery = Static<typeof BreakdownQuery>;
export const BreakdownExportQuery = Type.Object({ ...Times, ...Scope, by });
export type BreakdownExportQuery = Static<typeof BreakdownExportQuery>;

export const BreakdownRow = Type.Object({
  channel: Type.Optional(Channel),
  source: Type.Optional(Source),
  source_id: Type.Optional(Nullable(Type.String({ description: "Null for messages without a definition." }))),
  name: Type.Optional(Nullable(Type.String({ description: "Of the source; null if it was removed." }))),
  ...Metrics.properties,
});
export const Breakdown = Type.Object({
  from: Nullable(Instant),
  to: Nullable(Instant),
  totals: Metrics,
  data: Type.Array(BreakdownRow),
  next_cursor: Nullable(Type.String()),
});
export type Breakdown = Static<typeof Breakdown>;
