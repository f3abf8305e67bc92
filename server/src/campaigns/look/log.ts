import { encodeId } from "../../platform/ids.ts";
import type { LogOf } from "../../workspaces/index.ts";
import { logOfRuns } from "./log-store.ts";

/** Answers the log of a person with their runs, by the ids of the API. */
export const logOf: LogOf = async (q, personKey, page) =>
  (await logOfRuns(q, personKey, page)).map((entry) => ({
    ...entry,
    data: { ...entry.data, run_id: encodeId("run", String(entry.data.run_id)) },
  }));
