import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import type { DataSchema } from "../../transactionals/index.ts";
import { bodyOf, type Client } from "../connect/client.ts";
import { withClient } from "../workspaces/temporary-key.ts";
import { type Typed, typesText } from "./type-text.ts";

/** `tidings types`: writes TypeScript types for all transactionals of a running service's workspace. */
export async function types(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      url: { type: "string" },
      "secret-key": { type: "string" },
      workspace: { type: "string" },
      out: { type: "string" },
    },
  });
  const { out } = values;
  await withClient("tidings types", values, async (client) => {
    const list = await typedOf(client);
    if (out === undefined) {
      process.stdout.write(typesText(list));
      return;
    }
    await writeFile(out, typesText(list));
    console.log(`${list.length} transactionals: ${out}`);
  });
}

async function typedOf(client: Client): Promise<Typed[]> {
  const get = async (path: string) => bodyOf(await client.call("GET", path, "secret"));
  const list: Typed[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const body = await get(`/api/v1/transactionals?limit=200${query}`);
    for (const { id, trigger_name, channel } of body.data as {
      id: string;
      trigger_name: string | null;
      channel: string;
    }[]) {
      const contract = (await get(`/api/v1/transactionals/${id}/contract`)) as DataSchema;
      list.push({ name: trigger_name ?? id, channel, contract });
    }
    cursor = body.next_cursor;
  }
  return list;
}
