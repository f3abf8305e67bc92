import type { Page } from "playwright-core";

/** A call that a page would make to change something. */
export interface Offer {
  method: string;
  path: string;
  body: string | undefined;
}

declare global {
  var offered: Offer[];
  /** The page's own `fetch`, while calls are held back. */
  var real: typeof fetch;
  var pageControls: ReturnType<typeof findControls>;
}

/**
 * Presses everything in the open page and in the menus and dialogs that this opens, and fills in the fields there. Nothing of it reaches the
 * service: each call that would change something is kept, and answered as if the right were missing. Returns those calls.
 */
export async function offersOf(page: Page): Promise<Offer[]> {
  await page.evaluate(holdBack);
  await page.evaluate(`globalThis.pageControls = (${findControls})()`);
  const offers = await page.evaluate(pressAll);
  await page.evaluate(letGo);
  return offers;
}

function holdBack(): void {
  globalThis.offered = [];
  globalThis.real = window.fetch;
  window.fetch = (input, init) => {
    const method = init?.method ?? "GET";
    if (method === "GET") return real(input, init);
    const path = new URL(input instanceof Request ? input.url : input, location.href).pathname;
    offered.push({ method, path, body: typeof init?.body === "string" ? init.body : undefined });
    const headers = { "content-type": "application/problem+json" };
    return Promise.resolve(new Response('{"detail":"Held back.","code":"not_permitted"}', { status: 403, headers }));
  };
}

function letGo(): void {
  window.fetch = real;
}

/** What of a page can be pressed, and how. Runs in the page. */
function findControls() {
  const seen = (one: Element) => one.checkVisibility({ visibilityProperty: true });
  const isText = (one: Element): one is HTMLInputElement =>
    one.matches("input:not([type=checkbox], [type=radio], [type=file]), textarea") && !one.matches("[readonly]");
  const type = (field: HTMLInputElement) => {
    const kinds: Record<string, string> = {
      email: "new@northwind.example",
      url: "https://northwind.example",
      number: "7",
    };
    const proto = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
    const text = field.pattern || field.maxLength === 2 ? "de" : (kinds[field.type] ?? "something else to write");
    Object.getOwnPropertyDescriptor(proto, "value")?.set?.call(field, text);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  return {
    isText,
    layers: () => [...document.querySelectorAll("[role=dialog], [role=menu], [role=listbox]")].filter(seen),
    nameOf: (one: Element) =>
      `${one.tagName} ${one.getAttribute("aria-label") ?? ""} ${(one as HTMLInputElement).name ?? ""} ${
        (one as HTMLInputElement).value ?? ""
      } ${one.textContent}`,
    titleOf: (layer: Element) =>
      layer.getAttribute("aria-label") ?? layer.querySelector("h2")?.textContent ?? layer.tagName,
    controls: (layer: Element) =>
      [
        ...layer.querySelectorAll<HTMLElement>("button, [role=menuitem], [role=option], input, textarea, select, form"),
      ].filter(
        (one) =>
          (one.matches("form") ? one.querySelector("input:enabled, textarea:enabled") !== null : seen(one)) &&
          !one.matches(":disabled, [data-disabled], [type=submit]") &&
          !one.closest("search"),
      ),
    press(one: HTMLElement) {
      if (one instanceof HTMLFormElement) return one.requestSubmit();
      if (isText(one)) return type(one);
      if (one instanceof HTMLSelectElement) {
        one.selectedIndex = (one.selectedIndex + 1) % one.options.length;
        return one.dispatchEvent(new Event("change", { bubbles: true }));
      }
      return one.click();
    },
  };
}

/** Runs in the page, which has `pageControls` by then. */
async function pressAll(): Promise<Offer[]> {
  const MOST = 120;
  const here = location.href;
  const pressed = new Set<string>();
  const drawn = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const { isText, layers, nameOf, titleOf, controls, press } = pageControls;

  for (let i = 0; i < MOST; i++) {
    const layer = layers().at(-1) ?? document.querySelector("main");
    if (!layer) break;
    const within = titleOf(layer);
    // Fields before the form that they are in, and what leaves a dialog last: it is on the left, or at the top.
    const rank = (one: Element) => (isText(one) ? 0 : one.matches("form") ? 1 : 2);
    const next = controls(layer)
      .toReversed()
      .toSorted((a, b) => rank(a) - rank(b))
      .find((one) => !pressed.has(`${within} ${nameOf(one)}`));
    const before = layers().length;
    if (next) {
      pressed.add(`${within} ${nameOf(next)}`);
      press(next);
      if (isText(next)) pressed.add(`${within} ${nameOf(next)}`);
    } else if (layer.matches("main")) break;
    else
      (document.activeElement ?? layer).dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    await drawn();
    if (next?.ariaHasPopup) {
      // A menu finds its place first. It closes with each choice: it is opened again for the next.
      for (let wait = 0; wait < 20 && layers().length === before; wait++) await drawn();
      const menu = layers().length > before ? layers().at(-1) : undefined;
      if (menu && controls(menu).some((one) => !pressed.has(`${titleOf(menu)} ${nameOf(one)}`)))
        pressed.delete(`${within} ${nameOf(next)}`);
    }
    if (location.pathname !== new URL(here).pathname) {
      history.back();
      await drawn();
    }
  }
  return offered;
}
