import { once } from "node:events";
import { serve } from "@hono/node-server";
import { type Manner, otherProvider, strangest } from "@/test/other-provider";
import { freePort } from "@/test/support/temporary-product.mjs";

/** A word of 300 letters that reverses the text beside it. */
export const TURNING = `AGUARDA\u202E${"x".repeat(300)}`;

const MANNERS = {
  strangest,
  /** This provider's deviations: no paging, bare lists, no word for a direction, a reversing word. */
  pageless: {
    kyc: { paging: "echoed", pageSize: 3 },
    history: { paging: "first-page", pageSize: 4, directions: "absent" },
    accounts: { paging: "everything" },
    wallets: { pageSize: 2 },
    undocumented: { names: "snake_case", wrapping: "bare" },
    statusWords: { kyc: { PROCESSING: TURNING }, wallet: { ACTIVE: TURNING } },
  },
} as const satisfies Record<string, Manner>;

/** Hop-by-hop headers; the body is already decompressed. */
const HOP_BY_HOP = ["host", "connection", "content-length", "accept-encoding", "content-encoding", "transfer-encoding"];

function withoutHops(given: Headers): Headers {
  const headers = new Headers(given);
  for (const name of HOP_BY_HOP) headers.delete(name);
  return headers;
}

/** The service's answer at `serviceUrl` to this request, decompressed. */
export async function askReal(serviceUrl: string, request: Request, { pathname, search }: URL, body: string) {
  const { method } = request;
  const asked = { method, headers: withoutHops(request.headers), ...(method !== "GET" && { body }) };
  const real = await fetch(serviceUrl + pathname + search, asked);
  return { status: real.status, headers: withoutHops(real.headers), text: await real.text() };
}

/** Serves the function over HTTP on its own port. */
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

/** A provider with these deviations; the service at `serviceUrl` does the work. */
export const startOtherProvider = (serviceUrl: string, manner: keyof typeof MANNERS) =>
  listen(
    otherProvider(async (request) => {
      const { text, ...real } = await askReal(serviceUrl, request, new URL(request.url), await request.text());
      return new Response(text || null, real);
    }, MANNERS[manner]),
  );
