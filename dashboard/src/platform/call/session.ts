import { createStore } from "../store.ts";

/** Whether the session ended under an open page. The page stays as it is, and asks to sign in above it (members/sign-in-again.tsx). */
export const sessionEnded = createStore(false);

const waiting: (() => void)[] = [];

/** Waits until the member has signed in again. */
export function signedInAgain(): Promise<void> {
  sessionEnded.set(true);
  return new Promise((resolve) => waiting.push(resolve));
}

/** Lets the calls go on that the end of the session interrupted. */
export function continueSession(): void {
  sessionEnded.set(false);
  for (const go of waiting.splice(0)) go();
}
