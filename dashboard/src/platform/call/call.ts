import { lost } from "./connection.ts";
import { Refusal, Unreached } from "./refusal.ts";
import { signedInAgain } from "./session.ts";

export type Query = Record<string, string | number | boolean | undefined>;

export interface CallOptions {
  query?: Query | undefined;
  body?: unknown;
  /** A body that is no JSON, such as a CSV file. */
  file?: { type: string; content: Blob };
  signal?: AbortSignal | undefined;
  headers?: Record<string, string>;
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Read<T> {
  body: T;
  /** The version of what was read, for If-Match. */
  etag: string | undefined;
}

/** Calls the product API as the signed-in member, outside of a workspace. @throws Refusal, Unreached */
export async function call<T>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
  return (await exchange<T>(method, path, options)).body;
}

/** Calls for somebody who is signed in. If their session has ended, it waits until they have signed in again and repeats the call. */
export async function callSignedIn<T>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
  return (await patient<T>(method, path, options)).body;
}

/** Calls a route of a workspace, for somebody who is signed in. */
export function callIn(workspace: string) {
  return <T>(method: Method, path: string, options: CallOptions = {}): Promise<Read<T>> =>
    patient<T>(method, path, { ...options, headers: { ...options.headers, "x-tidings-workspace": workspace } });
}

async function patient<T>(method: Method, path: string, options: CallOptions): Promise<Read<T>> {
  for (;;) {
    try {
      return await exchange<T>(method, path, options);
    } catch (error) {
      if (!(error instanceof Refusal && error.code === "unauthenticated")) throw error;
      await signedInAgain();
    }
  }
}

export type Call = ReturnType<typeof callIn>;

async function exchange<T>(method: Method, path: string, options: CallOptions): Promise<Read<T>> {
  const { body, file, query = {}, signal, headers } = options;
  const url = new URL(`/api/v1${path}`, window.location.origin);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      headers: {
        ...headers,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(file && { "content-type": file.type }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(file && { body: file.content }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    lost();
    throw new Unreached(undefined, { cause: error });
  }
  const json = /json/.test(response.headers.get("content-type") ?? "");
  const answer = json ? await response.json() : undefined;
  if (!response.ok) throw new Refusal(response, answer ?? {});
  return { body: answer as T, etag: response.headers.get("etag") ?? undefined };
}
