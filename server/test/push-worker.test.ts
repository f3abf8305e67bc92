import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";

// Runs the service worker of docs/providers.md as a browser would.

const page = readFileSync(new URL("../../docs/providers.md", import.meta.url), "utf8");
const [, source = ""] = /```js[^\n]*\n(self\.addEventListener[\s\S]+?)```/.exec(page) ?? [];
type Listener = (event: Record<string, unknown>) => void;

function worker() {
  const listeners: Record<string, Listener> = {};
  const shown: [string, Record<string, unknown>][] = [];
  const opened: string[] = [];
  const waited: Promise<unknown>[] = [];
  const self = {
    addEventListener: (name: string, listener: Listener) => {
      listeners[name] = listener;
    },
    registration: {
      showNotification: async (title: string, options: Record<string, unknown>) => shown.push([title, options]),
    },
    clients: { openWindow: async (link: string) => opened.push(link) },
  };
  runInNewContext(source, { self });
  const send = (name: string, event: Record<string, unknown>) =>
    listeners[name]?.({ waitUntil: (work: Promise<unknown>) => waited.push(work), ...event });
  return { send, shown, opened, waited };
}

test("it displays a push and opens its link", () => {
  const { send, shown, opened, waited } = worker();
  const push = { delivery_id: "dlv_1", title: "Order 7", message: "On its way", link: "https://a.test/7" };
  send("push", { data: { json: () => push } });
  expect(shown).toEqual([["Order 7", { body: "On its way", tag: "dlv_1", data: push, image: undefined }]]);
  let closed = 0;
  const notification = { data: push, close: () => closed++ };
  send("notificationclick", { notification });
  send("notificationclick", { notification: { ...notification, data: { ...push, link: undefined } } });
  expect([opened, closed, waited.length]).toEqual([["https://a.test/7"], 2, 2]);
});
