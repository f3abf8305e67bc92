/** A page of another browser than Chromium. Elements are named by XPath, which Playwright and WebDriver have in common. */
export interface Driven {
  goTo(url: string): Promise<void>;
  /** Waits until there is such an element that shows. */
  see(xpath: string): Promise<void>;
  /** Waits until it can be clicked, and clicks it. */
  click(xpath: string): Promise<void>;
  /** Replaces what is in a field. */
  type(xpath: string, text: string): Promise<void>;
  /** What failed in the page so far: errors of scripts, and what its policy refused. */
  faults(): Promise<string[]>;
  close(): Promise<void>;
}

/** How long one step of a story may take on a loaded machine, in ms. */
export const PATIENCE_MS = 60_000;

/** Says aloud that a browser is missing, and fails under CI: a skipped test proves nothing. */
export function missing(what: string, packages: string): void {
  const message = `the story of the dashboard is not tested in ${what} (Debian: apt install ${packages})`;
  if (process.env.CI) throw new Error(message);
  console.warn(`SKIPPED: ${message}`);
}
