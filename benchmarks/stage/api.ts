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
