import { once } from "node:events";
import { serve } from "@hono/node-server";
import { type Manner, otherProvider, strangest } from "@/test/other-provider";
import { freePort } from "@/scripts/checks/temporary-product.mjs";

/** A word of 300 letters that turns around what stands beside it. */
export const TURNING = `AGUARDA\u202E${"x".repeat(300)}`;

const MANNERS = {
  strangest,
  /** What that one leaves out: pages that cannot be asked for, nothing around a list, no word for a direction, a turning one. */
  pageless: {
    kyc: { paging: "echoed", pageSize: 3 },
    history: { paging: "first-page", pageSize: 4, directions: "absent" },
    accounts: { paging: "everything" },
    wallets: { pageSize: 2 },
    undocumented: { names: "snake_case", wrapping: "bare" },
    statusWords: { kyc: { PROCESSING: TURNING }, wallet: { ACTIVE: TURNING } },
  },
} as const satisfies Record<string, Manner>;

/** Of one connection; what was compressed on it has been read. */
const HOP_BY_HOP = ["host", "connection", "content-length", "accept-encoding", "content-encoding", "transfer-encoding"];

function withoutHops(given: Headers): Headers {
  const headers = new Headers(given);
  for (const name of HOP_BY_HOP) headers.delete(name);
  return headers;
}

/** A provider of this manner over HTTP; behind it the service at `serviceUrl` does what is asked. */
export async function startOtherProvider(serviceUrl: string, manner: keyof typeof MANNERS) {
  async function fetchReal(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const body = request.method === "GET" ? undefined : await request.arrayBuffer();
    const asked = { method: request.method, headers: withoutHops(request.headers), ...(body && { body }) };
    const real = await fetch(serviceUrl + pathname + search, asked);
    return new Response((await real.text()) || null, { status: real.status, headers: withoutHops(real.headers) });
  }

  const port = await freePort();
  const server = serve({ fetch: otherProvider(fetchReal, MANNERS[manner]), port, hostname: "127.0.0.1" });
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.close();
      if ("closeAllConnections" in server) server.closeAllConnections();
      await once(server, "close");
    },
  };
}
