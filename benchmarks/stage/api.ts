import type { Stage } from "./stage.ts";

/** Calls the product API; the default method is POST with a body and GET without. @throws Error with an answer that is not 2xx */
export async function callApi<T>(
  { service, secretKey }: Pick<Stage, "service" | "secretKey">,
  path: string,
  body?: unknown,
  method = body === undefined ? "GET" : "POST",
): Promise<T> {
  const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, {
    method,
    headers: { authorization: `Bearer ${secretKey}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 800)}`);
  return JSON.parse(text) as T;
}

/** Items of one batch, as a client would send them. */
const ITEMS = 100;

/**
 * Sends items to POST /data-gateway/v1/batch.
 * @param itemOf returns the item with this number, from 0
 * @param lanes batches at once
 */
export async function sendItems(
  stage: Pick<Stage, "service" | "secretKey">,
  count: number,
  itemOf: (n: number) => object,
  lanes = 8,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const items = Array.from({ length: Math.min(ITEMS, count - next) }, (_, i) => itemOf(next + i));
      next += items.length;
      await callApi(stage, "/data-gateway/v1/batch", { items });
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
