import type { Channel, Environment } from "./environment.ts";

/** The words that tabs send to each other: `sync` asks them to sync, `logout` says that the person logged out. */
export type Word = "sync" | "logout";

export interface Tabs {
  tell(word: Word): void;
  close(): void;
}

/**
 * Shares one stream between all tabs of a browser: over HTTP/1.1 a browser opens six connections to a host, and six tabs would
 * use them up. The tab that holds the lock leads: it opens the stream (`lead`) and tells the others about each event. When it
 * is closed, the browser gives the lock to the next tab. Without locks or channels each tab has its own stream.
 */
export function joinTabs(
  env: Environment,
  name: string,
  lead: (hint: () => void) => () => void,
  heard: (word: Word) => void,
): Tabs {
  let channel: Channel | undefined;
  let endLead: (() => void) | undefined;
  let closed = false;
  const tell = (word: Word) => channel?.post(word);

  channel = env.channel?.(name, (word) => !closed && heard(word as Word));
  function begin(): void {
    if (closed) return;
    endLead = lead(() => {
      tell("sync");
      heard("sync");
    });
  }
  const release = env.lock && channel ? env.lock(name, begin) : begin();

  return {
    tell,
    close() {
      closed = true;
      endLead?.();
      release?.();
      channel?.close();
    },
  };
}
