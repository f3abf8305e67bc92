import { Refused } from "../terminal/refused.ts";

/** The longest wait for an answer. On a service that works no step of the demo takes this long. */
export const PATIENCE_MS = 15_000;

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the demo looks at answers of every shape, and checks what it uses
  body: any;
}

export interface Client {
  call(
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    key: "secret" | "public",
    body?: object,
  ): Promise<Answer>;
  stream(path: string): Promise<EventStream>;
}

export interface EventStream {
  status: number;
  /** Returns the next line that `wanted` accepts; lines before it are dropped. */
  line(wanted: (line: string) => boolean): Promise<string>;
  close(): void;
}

/**
 * Returns the body of an answer that is a success.
 * @throws Refused with the problem's text. The lines below it name the fields that are wrong.
 */
export function bodyOf({ status, body }: Answer): Answer["body"] {
  if (status < 300) return body;
  if (typeof body?.detail !== "string")
    throw new Refused(`the service answers ${status}: is this a Tidings, and is the address right?`);
  const fields = (body.errors ?? []) as { pointer?: string; parameter?: string; message: string }[];
  const lines = fields.map(({ pointer, parameter, message }) => `\n  ${pointer ?? parameter ?? ""} ${message}`);
  throw new Refused(`${body.code}: ${body.detail}${lines.join("")}`);
}

/** The most items of a page. */
const PAGE = 200;

/** Returns up to `most` items of a list, from as many pages as that takes. @throws Refused */
export async function pagesOf<T>(
  client: Client,
  path: string,
  query: Record<string, string>,
  most: number,
): Promise<T[]> {
  const found: T[] = [];
  for (let cursor: string | null | undefined; cursor !== null && found.length < most; ) {
    const limit = String(Math.min(PAGE, most - found.length));
    const parameters = new URLSearchParams({ ...query, limit, ...(cursor && { cursor }) });
    const page = bodyOf(await client.call("GET", `${path}?${parameters}`, "secret"));
    found.push(...page.data);
    cursor = page.next_cursor;
  }
  return found;
}

/** Creates a client that calls a service over HTTP with a key, as any client does. */
export function clientOf(address: string, keys: { secret: string; public: string }): Client {
  const ask = async (path: string, init: RequestInit) => {
    try {
      return await fetch(address + path, init);
    } catch (error) {
      const { cause, name, message } = error as Error & { cause?: { code?: string } };
      if (name === "TimeoutError") throw new Refused(`${path} did not answer within ${PATIENCE_MS / 1000} s`);
      throw new Refused(
        `no service answers on ${address} (${cause?.code ?? message}): start it with npm start, or use --url`,
      );
    }
  };
  return {
    async call(method, path, key, body) {
      const headers = {
        authorization: `Bearer ${keys[key]}`,
        ...(body && { "content-type": "application/json" }),
      };
      const init = {
        method,
        headers,
        signal: AbortSignal.timeout(PATIENCE_MS),
        ...(body && { body: JSON.stringify(body) }),
      };
      const response = await ask(path, init);
      const text = await response.text();
      const json = /json/.test(response.headers.get("content-type") ?? "");
      return { status: response.status, body: json && text !== "" ? JSON.parse(text) : text };
    },
    async stream(path) {
      const controller = new AbortController();
      const headers = { authorization: `Bearer ${keys.public}`, accept: "text/event-stream" };
      const response = await ask(path, { headers, signal: controller.signal });
      return eventStream(response, controller);
    },
  };
}

function eventStream(response: Response, controller: AbortController): EventStream {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let read = "";
  async function line(wanted: (line: string) => boolean): Promise<string> {
    for (;;) {
      const end = read.indexOf("\n");
      if (end === -1) {
        const { done, value } = (await reader?.read()) ?? { done: true };
        if (done || value === undefined) throw new Refused("the stream ended");
        read += value;
        continue;
      }
      const found = read.slice(0, end);
      read = read.slice(end + 1);
      if (wanted(found)) return found;
    }
  }
  return {
    status: response.status,
    async line(wanted) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(
          () => reject(new Refused(`nothing came on the stream within ${PATIENCE_MS / 1000} s`)),
          PATIENCE_MS,
        );
      });
      return Promise.race([line(wanted), late]).finally(() => clearTimeout(timer));
    },
    close: () => controller.abort(),
  };
}
