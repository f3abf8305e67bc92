import type { Texts } from "../language/texts.ts";

/** The word on each button that closes what it is in. */
export const closeTexts = { close: ["Close", "Schließen"] } satisfies Texts;
