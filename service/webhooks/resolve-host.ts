import { lookup, Resolver } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { DeliveryError } from "./delivery-error";
import { isPublicAddress } from "./public-address";

/** Every address of a host; none when it has none. */
export type Resolve = (hostname: string) => Promise<string[]>;

const ASK_WITHIN_MS = 3_000;
const ASK_TIMES = 2;

/**
 * Asks DNS and nothing else: a public name stands in no file of this machine, and unlike the system's own look-up a
 * server that keeps silent holds up no thread that others need.
 */
export async function resolvePublicHost(hostname: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: ASK_WITHIN_MS, tries: ASK_TIMES });
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
}

/** As the system resolves it, its hosts file included. */
export async function resolveOwnHost(hostname: string): Promise<string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}

/**
 * A socket's `lookup` that fails unless every address of the host is public, or the host is one of our own: what was
 * checked is what the socket connects to, so no second answer of a resolver can come between.
 */
export function guardedLookup(resolve: Resolve, isOwn: boolean): LookupFunction {
  return (hostname, { all }, tell) => {
    const answer = (addresses: string[]): void => {
      const [first] = addresses;
      if (first === undefined) return tell(new DeliveryError("host-not-found"), "");
      if (!isOwn && !addresses.every(isPublicAddress)) return tell(new DeliveryError("address-not-allowed"), "");
      if (!all) return tell(null, first, isIP(first));
      return tell(
        null,
        addresses.map((address) => ({ address, family: isIP(address) })),
      );
    };
    resolve(hostname).then(answer, (error: NodeJS.ErrnoException) => tell(error, ""));
  };
}
