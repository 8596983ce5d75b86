import { lookup, Resolver } from "node:dns/promises";
import { type ClientRequest, type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest, type RequestOptions } from "node:https";
import { BlockList, isIP, isIPv4, type LookupFunction } from "node:net";
import type { Settings } from "@/service/settings";
import { faultOfWebhookUrl } from "@/service/tenants/load-tenants";

/** Why an attempt got no answer, in the words that `GET /sandbox/deliveries` shows. */
type DeliveryErrorWord =
  | "no-webhook"
  | "url-not-allowed"
  | "address-not-allowed"
  | "host-not-found"
  | "connection-refused"
  | "connection-closed"
  | "connection-failed"
  | "certificate-expired"
  | "certificate-not-trusted"
  | "certificate-of-another-host"
  | "tls-failed"
  | "answer-not-http"
  | "timeout";

/** An attempt that we ended ourselves. */
class DeliveryError extends Error {
  override name = "DeliveryError";
  readonly word: DeliveryErrorWord;

  constructor(word: DeliveryErrorWord) {
    super(word);
    this.word = word;
  }
}

/** The codes of Node, its parser and OpenSSL; the first row that fits holds. */
const WORDS: readonly (readonly [RegExp, DeliveryErrorWord])[] = [
  [/^ECONNREFUSED$/, "connection-refused"],
  [/^(ECONNRESET|EPIPE)$/, "connection-closed"],
  [/^(ENOTFOUND|ENODATA|EAI_\w+)$/, "host-not-found"],
  [/^ETIMEDOUT$/, "timeout"],
  [/^CERT_HAS_EXPIRED$/, "certificate-expired"],
  [/^(ERR_TLS_CERT_ALTNAME_\w+|HOSTNAME_MISMATCH)$/, "certificate-of-another-host"],
  [/CERT|^UNABLE_TO_|^INVALID_(CA|PURPOSE)$|^PATH_LENGTH_/, "certificate-not-trusted"],
  [/^(ERR_SSL_\w+|ERR_TLS_\w+|EPROTO)$/, "tls-failed"],
  [/^HPE_/, "answer-not-http"],
];

/** The word for whatever ended an attempt. */
function wordFor(error: unknown): DeliveryErrorWord {
  if (error instanceof DeliveryError) return error.word;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return WORDS.find(([pattern]) => pattern.test(code))?.[1] ?? "connection-failed";
}

type Range = readonly [network: string, prefix: number];

/** IPv4's special-purpose registry, multicast and what is reserved: nothing there is a stranger's server. */
const NOT_PUBLIC_IPV4: readonly Range[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** All of IPv6 that is handed out; mapped, translated and local addresses lie outside. */
const GLOBAL_UNICAST: Range = ["2000::", 3];

/** Teredo and other protocols, documentation, 6to4, documentation: an IPv4 address may hide in them. */
const NOT_PUBLIC_IPV6: readonly Range[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

function listOf(family: "ipv4" | "ipv6", ranges: readonly Range[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, family);
  return list;
}

const refusedIpv4 = listOf("ipv4", NOT_PUBLIC_IPV4);
const refusedIpv6 = listOf("ipv6", NOT_PUBLIC_IPV6);
const globalIpv6 = listOf("ipv6", [GLOBAL_UNICAST]);

/** Whether an address is public unicast: a server on the internet, not one of this machine's or its networks'. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !refusedIpv4.check(address, "ipv4");
  return isIP(address) === 6 && globalIpv6.check(address, "ipv6") && !refusedIpv6.check(address, "ipv6");
}

/** Where a delivery may go. `isOwn`: the operator names the host, so that it may be on a private network. */
type Destination = { url: URL; hostname: string; isOwn: boolean };

const withoutBrackets = (host: string) => host.replace(/^\[(.*)\]$/, "$1").toLowerCase();

/** `127.1`, `0x7f.1` and `2130706433` are 127.0.0.1 in disguise; who means an address writes it. */
const isDisguised = (written: string, hostname: string) =>
  isIPv4(hostname) && written.split(/[/?#]/)[2]?.replace(/:\d*$/, "") !== hostname;

/** Reads a webhook's URL by the settings; a word when nothing may be sent there, whatever its host resolves to. */
function readDestination(written: string, settings: Settings): Destination | DeliveryErrorWord {
  if (faultOfWebhookUrl(written, settings.allowLoopbackHttp) !== undefined) return "url-not-allowed";
  const url = new URL(written);
  const hostname = withoutBrackets(url.hostname);
  if (isDisguised(written, hostname)) return "address-not-allowed";
  const isOwn = settings.webhookHosts.some((host) => withoutBrackets(host) === hostname);
  const isAddress = isIP(hostname) !== 0;
  return isOwn || !isAddress || isPublicAddress(hostname) ? { url, hostname, isOwn } : "address-not-allowed";
}

/** Every address of a host; none when it has none. */
type Resolve = (hostname: string) => Promise<string[]>;

const ASK_WITHIN_MS = 3_000;
const ASK_TIMES = 2;

/**
 * Asks DNS and nothing else: a public name stands in no file of this machine, and unlike the system's own look-up a
 * server that keeps silent holds up no thread that others need.
 */
async function resolvePublicHost(hostname: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: ASK_WITHIN_MS, tries: ASK_TIMES });
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
}

/** As the system resolves it, its hosts file included. */
async function resolveOwnHost(hostname: string): Promise<string[]> {
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

/** What is sent, to the byte. */
export type Letter = { url: string; headers: Record<string, string>; body: string };

/** The status of the receiver's answer, or why there is none. */
export type Answer = { httpStatus: number; error: null } | { httpStatus: null; error: DeliveryErrorWord };

/** Sends a letter once and gives the answer; never throws. An abort breaks the connection. */
export type Post = (letter: Letter, signal: AbortSignal) => Promise<Answer>;

/** What tests bring in: another resolver of public names, another certificate authority. */
type Network = { resolve?: Resolve; ca?: string };

/** From the first question to DNS to the head of the answer (interface: Limits › Webhook response time). */
const ANSWER_WITHIN_MS = 30_000;

/** An answer's body means nothing to us; this much is heard out, so that a polite receiver is not cut off. */
const HEAR_OUT_MS = 1_000;
const HEAR_OUT_BYTES = 65_536;

const failed = (error: DeliveryErrorWord): Answer => ({ httpStatus: null, error });

function hearOut(request: ClientRequest, response: IncomingMessage): void {
  let sizeBytes = 0;
  const limit = setTimeout(() => request.destroy(), HEAR_OUT_MS);
  request.once("close", () => clearTimeout(limit));
  response.on("data", (chunk: Buffer) => {
    sizeBytes += chunk.length;
    if (sizeBytes > HEAR_OUT_BYTES) request.destroy();
  });
  // The answer's head has decided; how its body ends changes nothing.
  response.on("error", () => undefined);
}

function exchange(request: ClientRequest, body: string, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve) => {
    let answer: Answer = failed("connection-closed");
    const limit = setTimeout(() => request.destroy(new DeliveryError("timeout")), ANSWER_WITHIN_MS);
    const abandon = () => request.destroy();
    signal.addEventListener("abort", abandon, { once: true });
    request.once("response", (response) => {
      clearTimeout(limit);
      answer = { httpStatus: response.statusCode ?? 0, error: null };
      hearOut(request, response);
    });
    request.on("error", (error) => {
      if (answer.httpStatus === null) answer = failed(wordFor(error));
    });
    request.once("close", () => {
      clearTimeout(limit);
      signal.removeEventListener("abort", abandon);
      resolve(answer);
    });
    request.end(body);
  });
}

function open(
  { url, hostname, isOwn }: Destination,
  headers: Letter["headers"],
  { ca, resolve = resolvePublicHost }: Network,
) {
  const options: RequestOptions = {
    method: "POST",
    hostname,
    port: url.port,
    path: `${url.pathname}${url.search}`,
    headers,
    // A connection of its own: its name is resolved, and its addresses checked, for this attempt.
    agent: false,
    lookup: guardedLookup(isOwn ? resolveOwnHost : resolve, isOwn),
  };
  if (url.protocol === "http:") return plainRequest(options);
  return secureRequest({
    ...options,
    minVersion: "TLSv1.2",
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
  });
}

/**
 * The way out to the tenants' receivers (interface: Events › Delivery rules): TLS 1.2 or later with a valid certificate,
 * no redirects, no cookies, and no address but public ones or the operator's own.
 */
export function createPost(settings: Settings, network: Network = {}): Post {
  const send: Post = async ({ url, headers, body }, signal) => {
    const destination = readDestination(url, settings);
    if (typeof destination === "string") return failed(destination);
    return exchange(open(destination, headers, network), body, signal);
  };
  return (letter, signal) => send(letter, signal).catch((error: unknown) => failed(wordFor(error)));
}
