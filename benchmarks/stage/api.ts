/** One call of the product API, for what a benchmark needs before it starts. @throws Error with the answer unless it is 2xx */
export async function callApi<T>(port: number, key: string, path: string, body: unknown): Promise<T> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${text.slice(0, 800)}`);
  return JSON.parse(text) as T;
}
