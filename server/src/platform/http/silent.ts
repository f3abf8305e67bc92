import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Gives the function that ends connections on which no request ever came. Browsers and HTTP clients open some ahead of
 * need; Node counts them as busy, and a shutdown would wait for their header time-out.
 */
export function silentConnections(server: Server): () => void {
  const silent = new Set<Socket>();
  // One listener for all: a closure a connection would count with 10,000 streams.
  function gone(this: Socket): void {
    silent.delete(this);
  }
  server.on("connection", (socket: Socket) => {
    silent.add(socket);
    socket.once("close", gone);
  });
  server.on("request", ({ socket }) => {
    silent.delete(socket);
  });
  return () => {
    for (const socket of silent) socket.destroy();
  };
}
