import { subscribe } from "node:diagnostics_channel";
import { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/** What the server itself sets on every request, in place of what was sent: who is asking. */
export const CLIENT_ADDRESS_HEADER = "x-retaguarda-client";

type Hops = Pick<IncomingMessage, "headers"> & { socket: { remoteAddress?: string | undefined } };

/**
 * The address of whoever is asking. Each proxy writes behind what it was sent the address it was asked from, so with n
 * trusted ones it is the nth from the end, the connection itself being the last; anything before that anybody can write.
 */
export function clientAddressOf({ headers, socket }: Hops, trustedProxies: number): string | null {
  const forwarded = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
  const hops = [...forwarded.map((hop) => hop.trim()).filter(Boolean), socket.remoteAddress ?? ""];
  const hop = hops.at(-1 - trustedProxies) ?? hops[0] ?? "";
  const address = hop.replace(/^::ffff:(?=\d+\.)/i, "");
  return isIP(address) > 0 ? address : null;
}

/** From now on every request that this process is asked carries its client's address. */
export function markClientAddresses(trustedProxies: number): void {
  subscribe("http.server.request.start", (message) => {
    const request = typeof message === "object" && message !== null && "request" in message ? message.request : null;
    if (!(request instanceof IncomingMessage)) return;
    request.headers[CLIENT_ADDRESS_HEADER] = clientAddressOf(request, trustedProxies) ?? undefined;
  });
}
