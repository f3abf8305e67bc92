import type { TestService } from "../service.ts";

/** An entry of the log of changes. */
export interface Entry {
  at: string;
  action: string;
  actor: { id: string | null };
  resource: { type: string };
}

/** Returns the whole log of changes of a workspace, newest first. */
export async function everything(it: TestService): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let cursor = ""; ; ) {
    const { body } = await it.call("GET", `/api/v1/audit?limit=200${cursor && `&cursor=${cursor}`}`);
    entries.push(...body.data);
    if (body.next_cursor === null) return entries;
    cursor = body.next_cursor;
  }
}
