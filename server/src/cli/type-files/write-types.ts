import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import type { DataSchema } from "../../transactionals/index.ts";
import { bodyOf, type Client, pagesOf } from "../connect/client.ts";
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
  await withClient("types", values, async (client) => {
    const list = await typedOf(client);
    if (out === undefined) {
      process.stdout.write(typesText(list));
      return;
    }
    await writeFile(out, typesText(list));
    console.log(`${list.length} transactionals: ${out}`);
  });
}

interface Listed {
  id: string;
  trigger_name: string | null;
  channel: string;
}

async function typedOf(client: Client): Promise<Typed[]> {
  const list: Typed[] = [];
  const all = await pagesOf<Listed>(client, "/api/v1/transactionals", {}, Number.POSITIVE_INFINITY);
  for (const { id, trigger_name, channel } of all) {
    const contract: DataSchema = bodyOf(await client.call("GET", `/api/v1/transactionals/${id}/contract`, "secret"));
    list.push({ name: trigger_name ?? id, channel, contract });
  }
  return list;
}
