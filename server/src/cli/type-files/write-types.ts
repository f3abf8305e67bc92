import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import type { DataSchema } from "../../transactionals/index.ts";
import { addressOf } from "../connect/address.ts";
import { type Answer, clientOf } from "../connect/client.ts";
import { Refused } from "../terminal/refused.ts";
import { withTemporaryKeys } from "../workspaces/temporary-keys.ts";
import { type Typed, typesText } from "./type-text.ts";

type Get = (path: string) => Promise<Answer>;

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
  const { url, "secret-key": secret, out } = values;
  const address = addressOf(url);
  const write = async (key: string) => {
    const client = clientOf(address, { secret: key, public: "" });
    const list = await typedOf((path) => client.call("GET", path, "secret"));
    if (out === undefined) {
      process.stdout.write(typesText(list));
      return;
    }
    await writeFile(out, typesText(list));
    console.log(`${list.length} transactionals: ${out}`);
  };
  if (secret) await write(secret);
  else await withTemporaryKeys("tidings types", values.workspace, (keys) => write(keys.secret));
}

async function typedOf(get: Get): Promise<Typed[]> {
  const list: Typed[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await found(get, `/api/v1/transactionals?limit=200${query}`);
    for (const { id, trigger_name, channel } of body.data as {
      id: string;
      trigger_name: string | null;
      channel: string;
    }[]) {
      const contract = (await found(get, `/api/v1/transactionals/${id}/contract`)).body as DataSchema;
      list.push({ name: trigger_name ?? id, channel, contract });
    }
    cursor = body.next_cursor;
  }
  return list;
}

async function found(get: Get, path: string): Promise<Answer> {
  const answer = await get(path);
  if (answer.status === 200) return answer;
  throw new Refused(
    `${path} answers ${answer.status}: ${answer.body?.detail ?? "is this a Tidings, and the key a secret one?"}`,
  );
}
