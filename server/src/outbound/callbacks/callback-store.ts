import { hash } from "node:crypto";
import { type Queries, sql } from "../../platform/db/index.ts";

/** Stores the signature of a call. Returns false where it was stored before. */
export async function firstSeen(tx: Queries, providerId: string, signature: string, until: Date): Promise<boolean> {
  const uuid = hash("sha256", signature, "hex").slice(0, 32);
  const made = await tx.execute(sql`
    insert into callbacks_seen (provider_id, signature, until)
    values (${providerId}, ${uuid}, ${until})
    on conflict (provider_id, signature) do nothing`);
  return made > 0;
}

/** Deletes at most `batch` signatures whose time is over. Returns how many. */
export const forgetSeen = (q: Queries, now: Date, batch: number): Promise<number> =>
  q.execute(sql`
    delete from callbacks_seen where (provider_id, signature) in (
      select provider_id, signature from callbacks_seen where until < ${now} order by until limit ${batch})`);
