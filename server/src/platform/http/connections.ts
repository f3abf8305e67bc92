import type { Server, ServerResponse } from "node:http";
import { Server as Listener, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** On a stop, a connection without a request stays open this long, because a request may be on its way. */
const LINGER_MS = 1_000;
/** A connection without a request for this long hardly gets one at the moment in which the stop begins: it is ended at once. */
const COLD_MS = 2_000;
/** Time for clients to see the end of a connection before this process exits. */
const LAST_MS = 100;
const LOOK_MS = 20;

const USED = Symbol("when the last request arrived, or the connection was made");
interface Connection extends Socket {
  [USED]: number;
  /** Node keeps the answer that is under way here. */
  _httpMessage?: ServerResponse | null;
}

export interface Connections {
  /** Returns whether a stop has begun: each answer is then the last of its connection. */
  draining(): boolean;
  /**
   * Ends the connections without losing a request. No new connection is accepted, each answer is the last of its connection, and a
   * connection without a request is ended when none has arrived for a moment. Node ends idle connections at once: then some were reset
   * with a request that the client had sent and this process had not read. Requests under way are not waited for here. Whether clients end
   * their side does not matter: browsers do it late, and each open dashboard would delay the stop by up to 65 s.
   */
  drain(): Promise<void>;
}

/** Watches the connections of a server, also those without any request: browsers open some before they need them. */
export function connectionsOf(server: Server): Connections {
  const open = new Set<Connection>();
  let draining = false;
  // All connections share one listener: a closure for each would cost memory with 10,000 streams.
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

  /** Closes it after the answer that is under way; its head may have been sent before the stop, and have promised to keep the connection. */
  function closeWhenIdle(connection: Connection): void {
    const answer = connection._httpMessage;
    if (answer) answer.once("close", () => connection.destroySoon());
    else connection.destroySoon();
  }

  async function ended(ms: number): Promise<void> {
    for (const until = performance.now() + ms; idle().length > 0 && performance.now() < until; ) await sleep(LOOK_MS);
  }

  return {
    draining: () => draining,
    async drain() {
      draining = true;
      if (!server.listening) return;
      // The close of an HTTP server would end idle connections at once.
      Listener.prototype.close.call(server);
      const now = performance.now();
      for (const connection of idle()) if (now - connection[USED] > COLD_MS) connection.end();
      await ended(LINGER_MS);
      for (const connection of idle()) connection.end();
      await ended(LAST_MS);
      for (const connection of open) closeWhenIdle(connection);
    },
  };
}
