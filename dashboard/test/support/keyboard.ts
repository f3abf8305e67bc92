import type { Page } from "playwright-core";
import { expect } from "vitest";

/**
 * Gives the focus to everything that Tab reaches, in its order: it can be seen where the focus is (2.4.7), no bar covers it (2.4.11), and the
 * order is that of the page (2.4.3).
 */
export async function assertKeyboard(page: Page): Promise<void> {
  // A key makes the browser show the focus that a script moves, too.
  await page.keyboard.press("Tab");
  const found = await page.evaluate(async () => {
    // What is behind a dialog waits for its end.
    const dialog = [...document.querySelectorAll("[role=dialog]")].findLast((one) => one.checkVisibility());
    const tabbable = [
      ...(dialog ?? document).querySelectorAll<HTMLElement>(
        "a[href], button, input, select, textarea, summary, [tabindex]",
      ),
    ].filter(
      (one) =>
        one.tabIndex >= 0 &&
        !(one as HTMLButtonElement).disabled &&
        one.checkVisibility({ visibilityProperty: true }) &&
        !one.closest("[inert]"),
    );
    const looks = (one: Element): string => {
      // Fields and switches mark what surrounds them.
      const around = [one, one.parentElement, one.parentElement?.parentElement, one.nextElementSibling];
      return around
        .map((each) => each && getComputedStyle(each))
        .map((style) => style && [style.outline, style.boxShadow, style.borderColor, style.backgroundColor].join())
        .join("|");
    };
    const faults: string[] = tabbable
      .filter(({ tabIndex }) => tabIndex > 0)
      .map((one) => `out of order: ${one.outerHTML}`);
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const isOpen = (list: Element) => list.checkVisibility({ visibilityProperty: true });
    for (const one of tabbable) {
      (document.activeElement as HTMLElement | null)?.blur();
      // The list of a field goes away with the focus, in the next frames.
      for (let i = 0; i < 20 && [...document.querySelectorAll("[role=listbox]")].some(isOpen); i++) await frame();
      const before = looks(one);
      one.focus();
      // Of radio buttons only one takes the focus by Tab; a script may give it to each.
      if (document.activeElement !== one) continue;
      // A field with a list opens it in the frame after the next, and it would then lie on the field after this one.
      if (one.getAttribute("aria-haspopup") === "listbox") await frame().then(frame);
      if (!one.matches(":focus-visible") || looks(one) === before)
        faults.push(`focus not seen: ${one.outerHTML.slice(0, 300)}`);
      // A real Tab scrolls there, a script's focus not always within a table that scrolls sideways.
      one.scrollIntoView({ block: "nearest", inline: "nearest" });
      const { left, top, width, height } = one.getBoundingClientRect();
      const above = document.elementFromPoint(left + width / 2, Math.min(top + height / 2, innerHeight - 1));
      const own = [one, ...((one as HTMLInputElement).labels ?? [])];
      if (!own.some((each) => each.contains(above) || above?.contains(each)))
        faults.push(`covered by ${above?.outerHTML.slice(0, 100)}: ${one.outerHTML.slice(0, 300)}`);
    }
    return faults;
  });
  expect(found, page.url()).toEqual([]);
}
