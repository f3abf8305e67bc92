import { readFileSync } from "node:fs";

const described = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

/** The version of this service, as server/package.json has it. */
export const version: string = described.version;
