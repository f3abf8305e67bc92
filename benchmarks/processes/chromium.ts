import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

/** Starts the system's Chromium. @throws Error where there is none */
export function startChromium(): Promise<Browser> {
  const names = ["chromium", "chromium-browser", "google-chrome"];
  const files = (process.env.PATH ?? "").split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  const executablePath = files.find((file) => existsSync(file));
  if (!executablePath) throw new Error(`this benchmark needs one of ${names.join(", ")} on the PATH`);
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--no-first-run"] });
}
