import { createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export interface SmtpSink {
  port: number;
  /** Returns the time (performance.now) at which the next message is answered 250. */
  nextMessage(): Promise<number>;
  /** While it hangs, it does not answer the end of a message. When it continues, it answers those that wait. */
  hang(on: boolean): void;
  /** Resolves once this many messages wait for their answer. */
  stuck(count: number): Promise<void>;
  close(): void;
}

/**
 * Starts an SMTP server that accepts every message and keeps none. It is written by hand, because smtp-server waits 100 ms before
 * it greets a new connection, which would hide the measured times.
 * @param onTaken called for each message with its recipient and the time of its 250 (performance.now)
 */
export async function startSmtpSink(onTaken?: (to: string, at: number) => void): Promise<SmtpSink> {
  const waiting: ((at: number) => void)[] = [];
  const taken: number[] = [];
  const sockets = new Set<Socket>();
  const owed: (() => void)[] = [];
  let hangs = false;
  const message = (to: string, answer: () => void) => {
    if (hangs) {
      owed.push(() => message(to, answer));
      return;
    }
    answer();
    const at = performance.now();
    if (onTaken) return onTaken(to, at);
    const next = waiting.shift();
    if (next) next(at);
    else taken.push(at);
  };
  const server = createServer((socket) => {
    sockets.add(socket.setNoDelay(true).once("close", () => sockets.delete(socket)));
    socket.on("error", () => {});
    converse(socket, message);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as { port: number }).port,
    nextMessage: () =>
      new Promise((resolve) => {
        const at = taken.shift();
        if (at === undefined) waiting.push(resolve);
        else resolve(at);
      }),
    hang(on) {
      hangs = on;
      if (!on) for (const go of owed.splice(0)) go();
    },
    async stuck(count) {
      while (owed.length < count) await sleep(10);
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function converse(socket: Socket, message: (to: string, answer: () => void) => void): void {
  let rest = "";
  let to = "";
  let inData = false;
  socket.write("220 sink ESMTP\r\n");
  socket.setEncoding("latin1").on("data", (text: string) => {
    rest += text;
    for (;;) {
      const mark = inData ? "\r\n.\r\n" : "\r\n";
      const end = rest.indexOf(mark);
      if (end === -1) return;
      const line = rest.slice(0, end);
      rest = rest.slice(end + mark.length);
      if (inData) {
        inData = false;
        message(to, () => socket.write("250 taken\r\n"));
        continue;
      }
      const verb = line.slice(0, 4).toUpperCase();
      inData = verb === "DATA";
      if (verb === "RCPT") to = line.slice(line.indexOf("<") + 1, line.indexOf(">"));
      socket.write(verb === "DATA" ? "354 go on\r\n" : verb === "QUIT" ? "221 bye\r\n" : "250 ok\r\n");
      if (verb === "QUIT") socket.end();
    }
  });
}
