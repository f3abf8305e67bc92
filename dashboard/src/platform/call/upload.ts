import { lost } from "./connection.ts";
import { Refusal, Unreached } from "./refusal.ts";
import { signedInAgain } from "./session.ts";

interface Upload {
  workspace: string;
  path: string;
  /** A form, or a file whose type is among the headers. */
  body: FormData | Blob;
  headers?: Record<string, string>;
  /** Called with the part of it that is sent, from 0 to 1. */
  onProgress: (part: number) => void;
  signal: AbortSignal;
}

/** Sends a form or a file to the product API of a workspace. `fetch` can't say how much is sent. Returns the answer. @throws Refusal, Unreached, the signal's reason */
export async function upload<T>(sent: Upload): Promise<{ status: number; body: T }> {
  for (;;) {
    try {
      return await once<T>(sent);
    } catch (error) {
      if (!(error instanceof Refusal && error.code === "unauthenticated")) throw error;
      await signedInAgain();
    }
  }
}

function once<T>({
  workspace,
  path,
  body: sent,
  headers: given = {},
  onProgress,
  signal,
}: Upload): Promise<{ status: number; body: T }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    signal.throwIfAborted();
    signal.addEventListener("abort", abort, { once: true });
    request.open("POST", `/api/v1${path}`);
    for (const [name, value] of Object.entries({ ...given, "x-tidings-workspace": workspace }))
      request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onabort = () => reject(signal.reason);
    request.onerror = () => {
      lost();
      reject(new Unreached());
    };
    request.onload = () => {
      const { status } = request;
      const json = /json/.test(request.getResponseHeader("content-type") ?? "");
      const body = json ? JSON.parse(request.responseText) : {};
      if (status < 300) return resolve({ status, body });
      const retryAfter = request.getResponseHeader("retry-after");
      const headers = new Headers(retryAfter === null ? {} : { "retry-after": retryAfter });
      reject(new Refusal(new Response(null, { status, headers }), body));
    };
    request.onloadend = () => signal.removeEventListener("abort", abort);
    request.send(sent);
  });
}
