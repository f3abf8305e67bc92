import type { CallOptions, TestService } from "./service.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What a page of the service's own address sends. */
const OWN_PAGE = { "sec-fetch-site": "same-origin" };

/** A browser with one page of the dashboard: it keeps the cookies, and says where its requests come from. */
export function browserOf(it: TestService) {
  const cookies = new Map<string, string>();
  const keep = (given: string | string[] | undefined) => {
    for (const line of [given ?? []].flat()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0/.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
  };
  async function call(method: Method, url: string, options: CallOptions = {}) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...OWN_PAGE, ...(cookie && { cookie }), ...options.headers };
    const answer = await it.call(method, url, { key: null, ...options, headers });
    keep(answer.headers["set-cookie"] as never);
    return answer;
  }
  return {
    call,
    cookies,
    get: (url: string) => call("GET", `/api/v1${url}`),
    post: (url: string, body?: unknown) => call("POST", `/api/v1${url}`, { body }),
    /** Calls a route of a workspace. */
    inWorkspace: (workspace: string, method: Method, url: string, body?: unknown) =>
      call(method, `/api/v1${url}`, { body, headers: { "x-tidings-workspace": workspace } }),
  };
}

export type Browser = ReturnType<typeof browserOf>;
