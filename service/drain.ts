import type { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

const REQUESTS_WITHIN_MS = 30_000;
const BODIES_WITHIN_MS = 5_000;

type Server = EventEmitter & { close: (done: () => void) => unknown };

/**
 * Watches the server's connections, to be called before it listens. Gives the way to end it: what carries no request, or
 * not yet the whole head of one, is closed at once; the requests in flight finish, within 30 s, and what has not sent its
 * body whole within 5 s is cut off.
 */
export function drainable(server: Server): () => Promise<void> {
  const inFlight = new Map<Socket, Set<IncomingMessage>>();
  let isDraining = false;

  const closeWithoutRequest = (): void => {
    for (const [socket, requests] of inFlight) if (requests.size === 0) socket.destroySoon();
  };
  const cutOffBodies = (): void => {
    for (const [socket, requests] of inFlight) if ([...requests].some((request) => !request.complete)) socket.destroy();
  };
  const cutOffAll = (): void => {
    for (const socket of inFlight.keys()) socket.destroy();
  };

  server.on("connection", (socket: Socket) => {
    inFlight.set(socket, new Set());
    socket.once("close", () => inFlight.delete(socket));
  });
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    inFlight.get(socket)?.add(request);
    response.once("close", () => {
      inFlight.get(socket)?.delete(request);
      if (isDraining) closeWithoutRequest();
    });
  });

  return async () => {
    isDraining = true;
    const closed = new Promise<void>((resolve) => server.close(resolve));
    // Requests that came together with the signal are read first.
    await new Promise((resolve) => setImmediate(resolve));
    closeWithoutRequest();
    const bodies = setTimeout(cutOffBodies, BODIES_WITHIN_MS);
    const all = setTimeout(cutOffAll, REQUESTS_WITHIN_MS);
    await closed;
    clearTimeout(bodies);
    clearTimeout(all);
  };
}
