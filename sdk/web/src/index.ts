import type { Tidings, TidingsOptions } from "./api.ts";
import { browser } from "./browser/browser.ts";
import { createCore } from "./tidings.ts";

export type { Inbox, Tidings, TidingsOptions } from "./api.ts";
export { TidingsError } from "./service/calls.ts";
export type { Cta, InboxItem, Message } from "./shapes.ts";

/**
 * Messages, inbox, events and web push of one person in one web application.
 *
 * ```ts
 * const tidings = createTidings({ baseUrl: "https://messages.example.com", apiKey: "tid_pub_...", personId: "ada" });
 * tidings.subscribe((messages) => render(messages));
 * tidings.setScreen("home");
 * ```
 *
 * On a server it returns the same kind of object, whose methods do nothing.
 */
export function createTidings(options: TidingsOptions): Tidings {
  return createCore(options, browser());
}
