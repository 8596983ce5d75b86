import { lookup, Resolver } from "node:dns/promises";
import { type ClientRequest, type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest, type RequestOptions } from "node:https";
import { BlockList, isIP, isIPv4, type LookupFunction } from "node:net";
import type { Settings } from "@/service/settings";
import { faultOfWebhookUrl } from "@/service/tenants/load-tenants";

/** As `GET /sandbox/deliveries` shows it. */
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

class DeliveryError extends Error {
  override name = "DeliveryError";
  readonly word: DeliveryErrorWord;

  constructor(word: DeliveryErrorWord) {
    super(word);
    this.word = word;
  }
}

/** Codes of Node, its parser and OpenSSL; the first match counts. */
const WORDS: readonly (readonly [RegExp, DeliveryErrorWord])[] = [
  [/^ECONNREFUSED$/, "connection-refused"],
  [/^(ECONNRESET|EPIPE)$/, "connection-closed"],
  [/^(ENOTFOUND|ENODATA|EAI_\w+)$/, "host-not-found"],
  [/^ETIMEDOUT$/, "timeout"],
  [/^CERT_HAS_EXPIRED$/, "certificate-expired"],
  [/^ERR_TLS_CERT_ALTNAME_|^HOSTNAME_MISMATCH$/, "certificate-of-another-host"],
  [/CERT|^UNABLE_TO_|^INVALID_(CA|PURPOSE)$|^PATH_LENGTH_/, "certificate-not-trusted"],
  [/^ERR_SSL_|^ERR_TLS_|^EPROTO$/, "tls-failed"],
  [/^HPE_/, "answer-not-http"],
];

function wordFor(error: unknown): DeliveryErrorWord {
  if (error instanceof DeliveryError) return error.word;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return WORDS.find(([pattern]) => pattern.test(code))?.[1] ?? "connection-failed";
}

type Range = readonly [network: string, prefix: number];

/** IPv4's special-purpose registry, multicast and reserved ranges. */
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

/** Mapped, translated and local addresses are outside. */
const GLOBAL_UNICAST: Range = ["2000::", 3];

/** Teredo, 6to4, documentation: they may contain an IPv4 address. */
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

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !refusedIpv4.check(address, "ipv4");
  return isIP(address) === 6 && globalIpv6.check(address, "ipv6") && !refusedIpv6.check(address, "ipv6");
}

/** `isOwn`: named by the operator, so it may be private. */
type Destination = { url: URL; hostname: string; isOwn: boolean };

const withoutBrackets = (host: string) => host.replace(/^\[(.*)\]$/, "$1").toLowerCase();

/** `127.1`, `0x7f.1` and `2130706433` are 127.0.0.1 in disguise. */
const isDisguised = (written: string, hostname: string) =>
  isIPv4(hostname) && written.split(/[/?#]/)[2]?.replace(/:\d*$/, "") !== hostname;

/** Returns an error word when nothing may be sent there, whatever the host resolves to. */
function readDestination(written: string, settings: Settings): Destination | DeliveryErrorWord {
  if (faultOfWebhookUrl(written, settings.allowLoopbackHttp) !== undefined) return "url-not-allowed";
  const url = new URL(written);
  const hostname = withoutBrackets(url.hostname);
  if (isDisguised(written, hostname)) return "address-not-allowed";
  const isOwn = settings.webhookHosts.some((host) => withoutBrackets(host) === hostname);
  const isAddress = isIP(hostname) !== 0;
  return isOwn || !isAddress || isPublicAddress(hostname) ? { url, hostname, isOwn } : "address-not-allowed";
}

type Resolve = (hostname: string) => Promise<string[]>;

const ASK_WITHIN_MS = 3_000;
const ASK_TIMES = 2;

/** DNS alone: no hosts file, and a silent server blocks no thread. */
async function resolvePublicHost(hostname: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: ASK_WITHIN_MS, tries: ASK_TIMES });
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
}

/** With the system's hosts file. */
async function resolveOwnHost(hostname: string): Promise<string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}

/** Checked as it connects, so that no second DNS answer can come between. */
export function guardedLookup(resolve: Resolve, isOwn: boolean): LookupFunction {
  return (hostname, { all }, lookedUp) => {
    const answer = (addresses: string[]): void => {
      const [first] = addresses;
      if (first === undefined) return lookedUp(new DeliveryError("host-not-found"), "");
      if (!isOwn && !addresses.every(isPublicAddress)) return lookedUp(new DeliveryError("address-not-allowed"), "");
      if (!all) return lookedUp(null, first, isIP(first));
      return lookedUp(
        null,
        addresses.map((address) => ({ address, family: isIP(address) })),
      );
    };
    resolve(hostname).then(answer, (error: NodeJS.ErrnoException) => lookedUp(error, ""));
  };
}

export type DeliveryRequest = { url: string; headers: Record<string, string>; body: string };

export type Answer = { httpStatus: number; error: null } | { httpStatus: null; error: DeliveryErrorWord };

/** Once; never throws. */
export type Post = (request: DeliveryRequest, signal: AbortSignal) => Promise<Answer>;

type Network = { resolve?: Resolve; ca?: string };

/** From DNS to the head of the answer (interface: Limits › Webhook response time). */
const ANSWER_WITHIN_MS = 30_000;

/** Keeps a polite receiver's answer from being cut off. */
const DRAIN_MS = 1_000;
const DRAIN_BYTES = 65_536;

const failed = (error: DeliveryErrorWord): Answer => ({ httpStatus: null, error });

function drain(request: ClientRequest, response: IncomingMessage): void {
  let sizeBytes = 0;
  const limit = setTimeout(() => request.destroy(), DRAIN_MS);
  request.once("close", () => clearTimeout(limit));
  response.on("data", (chunk: Buffer) => {
    sizeBytes += chunk.length;
    if (sizeBytes > DRAIN_BYTES) request.destroy();
  });
  // The head has decided, so the body's end changes nothing.
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
      drain(request, response);
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
  headers: DeliveryRequest["headers"],
  { ca, resolve = resolvePublicHost }: Network,
) {
  const options: RequestOptions = {
    method: "POST",
    hostname,
    port: url.port,
    path: `${url.pathname}${url.search}`,
    headers,
    // Its own connection, so that addresses are checked for each attempt.
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

/** interface: Events › Delivery rules. TLS 1.2 or later, no redirects, no cookies, public or operator's addresses only. */
export function createPost(settings: Settings, network: Network = {}): Post {
  const send: Post = async ({ url, headers, body }, signal) => {
    const destination = readDestination(url, settings);
    if (typeof destination === "string") return failed(destination);
    return exchange(open(destination, headers, network), body, signal);
  };
  return (request, signal) => send(request, signal).catch((error: unknown) => failed(wordFor(error)));
}
