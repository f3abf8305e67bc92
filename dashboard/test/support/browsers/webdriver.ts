import { setTimeout as sleep } from "node:timers/promises";
import { PATIENCE_MS } from "./driven.ts";

/** The name of an element's id, fixed by the standard. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
const LOOK_MS = 100;

/** The page of a browser that a driver of the W3C's WebDriver standard has started. */
export class WebDriver {
  readonly #address: string;
  readonly #session: string;

  private constructor(address: string, session: string) {
    this.#address = address;
    this.#session = session;
  }

  /** Has the driver at this address start a browser. */
  static async start(address: string, capabilities: object): Promise<WebDriver> {
    const started = await ask<{ sessionId: string }>("POST", `${address}/session`, {
      capabilities: { alwaysMatch: capabilities },
    });
    return new WebDriver(address, started.sessionId);
  }

  async goTo(url: string): Promise<void> {
    await this.#ask("POST", "/url", { url });
  }

  /** Waits until this can be done with the element: it may not be there yet, be drawn anew, or still move. */
  async onElement(xpath: string, work: (path: string, element: object) => Promise<unknown>): Promise<void> {
    for (const end = Date.now() + PATIENCE_MS; ; await sleep(LOOK_MS)) {
      try {
        const found = await this.#ask<Record<string, string>>("POST", "/element", { using: "xpath", value: xpath });
        await work(`/element/${found[ELEMENT]}`, found);
        return;
      } catch (error) {
        if (Date.now() > end) throw new Error(`${xpath}: ${error}`);
      }
    }
  }

  see(xpath: string): Promise<void> {
    return this.onElement(xpath, async (path) => {
      if (!(await this.#ask<boolean>("GET", `${path}/displayed`))) throw new Error("it does not show");
    });
  }

  click(xpath: string): Promise<void> {
    return this.onElement(xpath, async (path, element) => {
      // WebKit takes what lies under the edge of a list that scrolls for visible, and would click what covers it.
      const script = "arguments[0].scrollIntoView({ block: 'center' })";
      await this.#ask("POST", "/execute/sync", { script, args: [element] });
      await this.#ask("POST", `${path}/click`, {});
    });
  }

  type(xpath: string, text: string): Promise<void> {
    return this.onElement(xpath, async (path) => {
      await this.#ask("POST", `${path}/clear`, {});
      await this.#ask("POST", `${path}/value`, { text });
    });
  }

  async close(): Promise<void> {
    await this.#ask("DELETE", "");
  }

  #ask<T>(method: string, path: string, body?: object): Promise<T> {
    return ask<T>(method, `${this.#address}/session/${this.#session}${path}`, body);
  }
}

/** Calls a command of the driver. @throws Error with what it says, such as "no such element" */
async function ask<T>(method: string, url: string, body?: object): Promise<T> {
  const answer = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } };
  if (!answer.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}
