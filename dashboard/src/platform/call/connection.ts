import { createStore } from "../store.ts";

/** Whether the service can't be reached now. A banner says so. */
export const connectionLost = createStore(false);

const LOOK_MS = 2_000;
let looking = false;
let healed: () => void = () => {};

/** Names what is done once the service is there again: what is shown may be old. */
export function onHealed(work: () => void): void {
  healed = work;
}

/** A call got no answer. Asks from now on until one comes. */
export function lost(): void {
  connectionLost.set(true);
  if (looking) return;
  looking = true;
  void look();
}

async function look(): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const answer = await fetch("/healthz", { cache: "no-store" }).catch(() => undefined);
    if (answer?.ok) break;
  }
  looking = false;
  connectionLost.set(false);
  healed();
}

window.addEventListener("offline", lost);
