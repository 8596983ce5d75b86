import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";

const SLOW_MS = 700;
/** How the receiver treats an event, chosen by its id so that a restart changes nothing. */
const MANNERS = ["takes", "takes", "takes", "takes", "takes", "fails once", "fails always", "is slow"] as const;

const mannerOf = (eventId: string) => MANNERS[Number.parseInt(eventId.slice(0, 2), 16) % MANNERS.length] ?? "takes";

/** What the receiver has seen of one event. */
type Seen = { manner: (typeof MANNERS)[number]; clientId: string; bodies: Set<string>; times: number };

/** A tenant's webhook endpoint, `/<clientId>`: verifies each request, and fails or delays some. */
export async function startReceiver(secret: string) {
  /** By event id. */
  const seen = new Map<string, Seen>();
  let forged = 0;

  const take = async (request: IncomingMessage): Promise<number> => {
    const body = await buffer(request);
    const signature = createHmac("sha256", secret).update(body).digest("hex");
    if (request.headers["x-webhook-signature"] !== signature) forged += 1;
    const id = String(request.headers["x-webhook-event-id"]);
    const clientId = (request.url ?? "").slice(1);
    const known = seen.get(id) ?? { manner: mannerOf(id), clientId, bodies: new Set(), times: 0 };
    seen.set(id, known);
    known.times += 1;
    known.bodies.add(body.toString());
    if (known.manner === "is slow") await pause(SLOW_MS);
    const fails = known.manner === "fails always" || (known.manner === "fails once" && known.times === 1);
    return fails ? 500 : 204;
  };
  const server = createServer((request, response) => {
    // A killed sender cuts its request short and expects no answer.
    take(request).then(
      (status) => response.writeHead(status).end(),
      () => response.destroy(),
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`,
    seen,
    /** Requests with a wrong signature. */
    forged: () => forged,
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
