import { once } from "node:events";
import { serve } from "@hono/node-server";
import { type Manner, otherProvider, strangest } from "@/test/other-provider";
import { freePort } from "@/test/support/temporary-product.mjs";

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

/** What the service at `serviceUrl` answers to this; its text is plain by then. */
export async function askReal(serviceUrl: string, request: Request, { pathname, search }: URL, body: string) {
  const { method } = request;
  const asked = { method, headers: withoutHops(request.headers), ...(method !== "GET" && { body }) };
  const real = await fetch(serviceUrl + pathname + search, asked);
  return { status: real.status, headers: withoutHops(real.headers), text: await real.text() };
}

/** Lets it answer over HTTP, at a port of its own. */
export async function listen(answer: (request: Request) => Promise<Response>) {
  const port = await freePort();
  const server = serve({ fetch: answer, port, hostname: "127.0.0.1" });
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

/** A provider of this manner; behind it the service at `serviceUrl` does what is asked. */
export const startOtherProvider = (serviceUrl: string, manner: keyof typeof MANNERS) =>
  listen(
    otherProvider(async (request) => {
      const { text, ...real } = await askReal(serviceUrl, request, new URL(request.url), await request.text());
      return new Response(text || null, real);
    }, MANNERS[manner]),
  );
