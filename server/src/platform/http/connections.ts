import type { Server } from "node:http";
import { Server as Listener, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** On a stop a connection without a request is kept for so long, for one that may be on its way. */
const LINGER_MS = 1_000;
/** Who has asked nothing for so long hardly does so in the moment in which the stop begins. */
const COLD_MS = 2_000;
/** Clients see the end of a connection before this process is gone. */
const LAST_MS = 100;
const LOOK_MS = 20;

const USED = Symbol("when a request came last, or the connection");
interface Connection extends Socket {
  [USED]: number;
  /** Node keeps the answer that is under way here. */
  _httpMessage?: unknown;
}

export interface Connections {
  /** Whether a stop has begun: each answer is then the last of its connection. */
  draining(): boolean;
  /**
   * Ends the connections without losing a request. Nothing new is accepted, answers are the last of their connection, and one without
   * a request is ended once none has come for a moment: closed at once, as Node does it, some of those in use were reset with a request
   * that had been sent and not been read. What is being answered is not waited for here.
   */
  drain(): Promise<void>;
}

/** The connections of a server, also those on which no request ever came: browsers open some ahead of need. */
export function connectionsOf(server: Server): Connections {
  const open = new Set<Connection>();
  let draining = false;
  // One listener for all: a closure a connection would count with 10,000 streams.
  function gone(this: Socket): void {
    open.delete(this as Connection);
  }
  server.on("connection", (socket: Socket) => {
    const connection = Object.assign(socket, { [USED]: performance.now() });
    open.add(connection);
    socket.once("close", gone);
  });
  server.on("request", ({ socket }) => {
    (socket as Connection)[USED] = performance.now();
  });

  const idle = () => [...open].filter((connection) => !connection._httpMessage);

  async function ended(ms: number): Promise<void> {
    for (const until = performance.now() + ms; idle().length > 0 && performance.now() < until; ) await sleep(LOOK_MS);
  }

  return {
    draining: () => draining,
    async drain() {
      draining = true;
      if (!server.listening) return;
      // Not the close of an HTTP server, which ends what is idle at once.
      Listener.prototype.close.call(server);
      const now = performance.now();
      for (const connection of idle()) if (now - connection[USED] > COLD_MS) connection.end();
      await ended(LINGER_MS);
      for (const connection of idle()) connection.end();
      await ended(LAST_MS);
    },
  };
}
