import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { freePort } from "@/scripts/checks/temporary-product.mjs";
import { TOKEN_ROUTE } from "./fault-script";

const MINUTE_MS = 60_000;

/** A gateway before the service that lets only so many calls pass in any 60 s; token requests do not count. */
export type Limiter = {
  origin: string;
  /** From now on; what passed in the last minute counts. */
  allow: (callsPerMinute: number) => void;
  stop: () => Promise<void>;
};

function pass(target: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, headers, url } = incoming;
  const onward = request(new URL(url ?? "/", target), { method, headers });
  onward.once("response", (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  onward.once("error", () => outgoing.destroy());
  incoming.pipe(onward);
}

/** As the service does it: refused calls count for nothing, and `Retry-After` is when the oldest is a minute old. */
export async function startLimiter(target: string): Promise<Limiter> {
  let limit = Infinity;
  let passedAtMs: readonly number[] = [];

  const server = createServer((incoming, outgoing) => {
    const nowMs = performance.now();
    passedAtMs = passedAtMs.filter((ms) => ms > nowMs - MINUTE_MS);
    if (`${incoming.method} ${incoming.url}` === TOKEN_ROUTE) return pass(target, incoming, outgoing);
    const [oldestMs = nowMs] = passedAtMs;
    if (passedAtMs.length < limit) {
      passedAtMs = [...passedAtMs, nowMs];
      return pass(target, incoming, outgoing);
    }
    const retryAfter = Math.ceil((oldestMs + MINUTE_MS - nowMs) / 1_000);
    outgoing
      .writeHead(429, { "content-type": "application/json", "retry-after": `${retryAfter}` })
      .end('{"message":"Rate limit exceeded"}');
  });
  const port = await freePort();
  await once(server.listen(port, "127.0.0.1"), "listening");
  return {
    origin: `http://127.0.0.1:${port}`,
    allow: (callsPerMinute) => {
      limit = callsPerMinute;
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
