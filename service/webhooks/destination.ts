import { isIP, isIPv4 } from "node:net";
import type { Settings } from "@/service/settings";
import { faultOfWebhookUrl } from "@/service/tenants/webhook-url";
import type { DeliveryErrorWord } from "./delivery-error";
import { isPublicAddress } from "./public-address";

/** Where a delivery may go. `isOwn`: the operator names the host, so that it may be on a private network. */
export type Destination = { url: URL; hostname: string; isOwn: boolean };

const withoutBrackets = (host: string) => host.replace(/^\[(.*)\]$/, "$1").toLowerCase();

/** `127.1`, `0x7f.1` and `2130706433` are 127.0.0.1 in disguise; who means an address writes it. */
const isDisguised = (written: string, hostname: string) =>
  isIPv4(hostname) && written.split(/[/?#]/)[2]?.replace(/:\d*$/, "") !== hostname;

/** Reads a webhook's URL by the settings; a word when nothing may be sent there, whatever its host resolves to. */
export function readDestination(written: string, settings: Settings): Destination | DeliveryErrorWord {
  if (faultOfWebhookUrl(written, settings.allowLoopbackHttp) !== undefined) return "url-not-allowed";
  const url = new URL(written);
  const hostname = withoutBrackets(url.hostname);
  if (isDisguised(written, hostname)) return "address-not-allowed";
  const isOwn = settings.webhookHosts.some((host) => withoutBrackets(host) === hostname);
  const isAddress = isIP(hostname) !== 0;
  return isOwn || !isAddress || isPublicAddress(hostname) ? { url, hostname, isOwn } : "address-not-allowed";
}
