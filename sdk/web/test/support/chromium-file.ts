import { programOf } from "./program.ts";

/** The names of a Chromium on the PATH. The one without a window (Debian: chromium-headless-shell) takes 40 % less CPU for a page. */
export const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
/** Chromium takes the last such list, so those that Playwright disables are here too, but for other browsers and systems. */
const DISABLED = [
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "ThirdPartyStoragePartitioning",
  // A window's address bar and the next page have a process each, which take 0.6 of the 1.1 s of CPU that a page takes.
  "SpareRendererForSitePerProcess",
  "WebUIOmniboxAimPopup",
  "WebUIOmniboxFullPopup",
  "WebUIOmniboxPopup",
];
export const QUIET = [
  `--disable-features=${DISABLED.join()}`,
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // A name without https: no locks there, no crypto.randomUUID.
  "--host-resolver-rules=MAP plain.test 127.0.0.1",
];

/** The path of the system's Chromium; undefined where there is none. */
export const chromiumFile = programOf(NAMES);
