/** One event as the stream sends it. */
export interface SentEvent {
  event: string;
  data: string;
  /** Its position, for events of the log. */
  id: string | undefined;
}

interface Hearer {
  event(sent: SentEvent): void;
  /** A position, with or without an event. */
  position(id: string): void;
  /** After how long to come back when the stream has ended. */
  retry(ms: number): void;
}

/** Returns a function that takes the text of a stream of server-sent events, cut anywhere, and tells what is in it. */
export function createParser(hearer: Hearer): (text: string) => void {
  let rest = "";
  const block = (text: string) => {
    let event = "message";
    let id: string | undefined;
    const data: string[] = [];
    for (const line of text.split("\n")) {
      const colon = line.indexOf(":");
      // A comment, such as the heartbeat.
      if (colon === 0) continue;
      const name = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (name === "event") event = value;
      else if (name === "data") data.push(value);
      else if (name === "id") id = value;
      else if (name === "retry" && /^\d+$/.test(value)) hearer.retry(Number(value));
    }
    if (data.length > 0) hearer.event({ event, data: data.join("\n"), id });
    if (id !== undefined) hearer.position(id);
  };
  return (text) => {
    const blocks = (rest + text).split("\n\n");
    rest = blocks.pop() as string;
    for (const one of blocks) block(one);
  };
}
