import { type Static, Type } from "typebox";
import { Instant, Line, ListOf, ListQuery, Nullable, OneOf } from "./primitives.ts";

export const Import = Type.Object({
  id: Type.String(),
  kind: OneOf(["audience", "suppressions"], { description: "What the file is imported into." }),
  target: Nullable(Type.String({ description: "Id of the audience; null for suppressions." })),
  status: OneOf(["running", "done", "failed", "cut_off"], {
    description:
      "`cut_off`: the process that read it has ended. The lines read so far stay; import the same file again.",
  }),
  bytes: Type.Integer({ description: "Size of the file." }),
  bytes_read: Type.Integer(),
  rows: Type.Integer({ description: "Lines read so far, without the header and empty lines." }),
  added: Type.Integer({ description: "Lines whose address was new to the list." }),
  known: Type.Integer({ description: "Lines whose address was on the list already." }),
  refused: Type.Integer({ description: "Lines that were refused." }),
  errors: Type.Array(Type.Object({ line: Type.Integer(), message: Type.String() }), {
    description: "The first 100 of the refused lines.",
  }),
  reason: Nullable(Type.String({ description: "Why it failed or was cut off." })),
  started_at: Instant,
  finished_at: Nullable(Instant),
});
export type Import = Static<typeof Import>;
export const ImportList = ListOf(Import);
export const ImportQuery = Type.Object({
  ...ListQuery,
  kind: Type.Optional(OneOf(["audience", "suppressions"])),
  target: Type.Optional(Line(100, { description: "The imports of one audience." })),
  status: Type.Optional(OneOf(["running", "done", "failed", "cut_off"])),
});
export type ImportQuery = Static<typeof ImportQuery>;
