import type { Page } from "playwright-core";

// What tests of the dashboard do most.

export const click = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole("button", { name, exact: true }).click();

/** Presses a button of the dialog that opened last: another one may be behind it. */
export const inDialog = (page: Page, name: string): Promise<void> =>
  page.getByRole("dialog").last().getByRole("button", { name, exact: true }).click();

/** Waits until a text is on the page. */
export const said = (page: Page, text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor();
