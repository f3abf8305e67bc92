import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { freePort } from "../../../../server/test/support/tidings.ts";
import { programOf } from "../../../../sdk/web/test/support/program.ts";
import { until } from "../../../../server/test/support/wait.ts";
import type { Driven } from "./driven.ts";
import { WebDriver } from "./webdriver.ts";

const driver = programOf(["WebKitWebDriver"]);
const browser = programOf(
  ["x86_64", "aarch64"].map((machine) => `/usr/lib/${machine}-linux-gnu/webkit2gtk-4.1/MiniBrowser`),
);
const screen = programOf(["Xvfb"]);

/** Whether WebKit of the system can be driven: it has no way to run without a screen, so it needs one in memory, too. */
export const hasWebKit = Boolean(driver && browser && screen);

/** Starts a screen in memory, the driver, and a browser in which nothing was visited before. */
export async function startWebKit(): Promise<Driven> {
  const home = await mkdtemp(join(tmpdir(), "tidings-webkit-"));
  // As all windows of the tests, it asks for less motion: a click on what still moves misses it.
  await mkdir(join(home, "gtk-3.0"));
  await writeFile(join(home, "gtk-3.0/settings.ini"), "[Settings]\ngtk-enable-animations=0\n");
  const shown = spawn(screen as string, ["-screen", "0", "1280x900x24", "-nolisten", "tcp", "-displayfd", "3"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const [display] = await once(createInterface({ input: shown.stdio[3] as Readable }), "line");
  const port = await freePort();
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CONFIG_HOME: home,
    XDG_RUNTIME_DIR: home,
    DISPLAY: `:${display}`,
    NO_AT_BRIDGE: "1",
  };
  const driving = spawn(driver as string, [`--port=${port}`], { env, stdio: ["ignore", "pipe", "ignore"] });
  const faults: string[] = [];
  // Uncaught errors and what the policy refused, from the first line of a page on.
  createInterface({ input: driving.stdout }).on("line", (line) => {
    if (/^CONSOLE (JS|SECURITY) ERROR/.test(line)) faults.push(line);
  });
  const address = `http://127.0.0.1:${port}`;
  await until(
    () =>
      fetch(`${address}/status`).then(
        ({ ok }) => ok,
        () => false,
      ),
    "the driver of WebKit",
  );
  const page = await WebDriver.start(address, {
    "webkitgtk:browserOptions": {
      binary: browser,
      args: ["--automation", "--enable-write-console-messages-to-stdout=true"],
    },
  });
  return {
    goTo: (url) => page.goTo(url),
    see: (xpath) => page.see(xpath),
    click: (xpath) => page.click(xpath),
    type: (xpath, text) => page.type(xpath, text),
    faults: async () => faults,
    async close() {
      await page.close();
      await ended(driving);
      await ended(shown);
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  const over = once(child, "exit");
  child.kill();
  await over;
}
