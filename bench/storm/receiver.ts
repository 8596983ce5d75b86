import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";

/** How the receiver takes an event, each time it comes: by its id, so that a restart changes nothing. */
export type Manner = "takes" | "fails once" | "fails always" | "is slow";

/** What the receiver has seen of one event. */
export type Seen = { manner: Manner; clientId: string; event: string; bodies: Set<string>; times: number };

export type Receiver = {
  url: string;
  /** By event id. */
  seen: ReadonlyMap<string, Seen>;
  /** Requests whose signature was not that of their bytes. */
  forged: () => number;
  close: () => Promise<void>;
};

const SLOW_MS = 700;
const MANNERS: readonly Manner[] = [
  "takes",
  "takes",
  "takes",
  "takes",
  "takes",
  "fails once",
  "fails always",
  "is slow",
];

export function mannerOf(eventId: string): Manner {
  return MANNERS[Number.parseInt(eventId.slice(0, 2), 16) % MANNERS.length] ?? "takes";
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

function isSigned(body: Buffer, secret: string, signature: string): boolean {
  const wanted = createHmac("sha256", secret).update(body).digest("hex");
  return signature.length === wanted.length && timingSafeEqual(Buffer.from(signature), Buffer.from(wanted));
}

const header = (request: IncomingMessage, name: string) => String(request.headers[name] ?? "");

/** A tenant's webhook endpoint, `/<clientId>`: verifies each request, and fails or dawdles with some of the events. */
export async function startReceiver(secret: string): Promise<Receiver> {
  const seen = new Map<string, Seen>();
  let forged = 0;

  const take = async (request: IncomingMessage): Promise<number> => {
    const body = await readBody(request);
    if (!isSigned(body, secret, header(request, "x-webhook-signature"))) forged += 1;
    const id = header(request, "x-webhook-event-id");
    const known = seen.get(id) ?? {
      manner: mannerOf(id),
      clientId: (request.url ?? "").slice(1),
      event: header(request, "x-webhook-event"),
      bodies: new Set(),
      times: 0,
    };
    seen.set(id, known);
    known.times += 1;
    known.bodies.add(body.toString());
    if (known.manner === "is slow") await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    const fails = known.manner === "fails always" || (known.manner === "fails once" && known.times === 1);
    return fails ? 500 : 204;
  };
  const server = createServer((request, response) => {
    // A sender that was killed cuts its request short, and waits for no answer.
    take(request).then(
      (status) => response.writeHead(status).end(),
      () => response.destroy(),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    forged: () => forged,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
