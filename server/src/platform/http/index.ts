export { type App, createApp, toProblem } from "./app.ts";
export { boundConnections } from "./places.ts";
export { decodeCursor, encodeCursor, type PartKind, page, partsOf } from "./cursor.ts";
export { matches, tagsOf } from "./entity-tags.ts";
export { parseJson, pointerPart, readJson, sendJson } from "./json.ts";
export { badField, badParameter, type FieldError, notFound, Problem } from "./problem.ts";
export { bodyOptional, checkShape, emptyIsNone, fitsShape, refuseUnknownParameters } from "./validation.ts";
export { mountFrames, mountSite } from "./site.ts";
