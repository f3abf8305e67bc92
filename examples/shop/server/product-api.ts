export interface Keys {
  secret: string;
  public: string;
}

/** Calls of a back end, with the secret key, which never leaves the server. */
export type ProductApi = (method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: object) => Promise<unknown>;

export function productApi(url: string, secretKey: string): ProductApi {
  return async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${secretKey}`, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer = text ? JSON.parse(text) : undefined;
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer?.detail ?? text}`);
    return answer;
  };
}
