import { isIPv4, isIPv6 } from "node:net";
import { CLIENT_ADDRESS_HEADER, networkOf } from "@/door/addresses.mjs";
import { keyedHash } from "./sign-in-try";

/** Which program and machine somebody signs in with, and from where, in so far as it is told. */
export type Device = {
  /** `Firefox 131`. */
  browser: string | null;
  /** `Windows`. */
  system: string | null;
  /** Without its last part: enough to know one's own network by. */
  maskedAddress: string | null;
  addressHash: string | null;
};

export const UNKNOWN_DEVICE: Device = { browser: null, system: null, maskedAddress: null, addressHash: null };

// The first that fits: browsers name their ancestors as well.
const BROWSERS: readonly [name: string, pattern: RegExp][] = [
  ["Edge", /\bEdg(?:A|iOS)?\/(\d{1,4})/],
  ["Opera", /\bOPR\/(\d{1,4})/],
  ["Samsung Internet", /\bSamsungBrowser\/(\d{1,4})/],
  ["Firefox", /\b(?:Firefox|FxiOS)\/(\d{1,4})/],
  ["Chrome", /\b(?:Chrome|CriOS|HeadlessChrome)\/(\d{1,4})/],
  ["Safari", /\bVersion\/(\d{1,4})\S* (?:Mobile\/\S+ )?Safari\//],
];
const SYSTEMS: readonly [name: string, pattern: RegExp][] = [
  ["iPadOS", /\biPad\b/],
  ["iOS", /\biPhone\b/],
  ["Android", /\bAndroid\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Windows", /\bWindows NT\b/],
  ["macOS", /\bMacintosh\b/],
  ["Linux", /\bLinux\b/],
];

function browserOf(userAgent: string): string | null {
  for (const [name, pattern] of BROWSERS) {
    const version = pattern.exec(userAgent)?.[1];
    if (version !== undefined) return `${name} ${version}`;
  }
  return null;
}

const systemOf = (userAgent: string) => SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? null;

const USER_AGENT_MAX_LENGTH = 512;
const KEPT_GROUPS = 3;

/** `203.0.113.•`, `2001:db8:85a3:…`; null for what is no address. */
export function maskAddress(address: string): string | null {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (isIPv4(plain)) return plain.replace(/\.\d+$/, ".•");
  if (!isIPv6(plain)) return null;
  const [front = ""] = plain.split("::");
  return `${front.split(":").filter(Boolean).slice(0, KEPT_GROUPS).join(":")}:…`;
}

export function deviceOf(headers: Headers): Device {
  const userAgent = (headers.get("user-agent") ?? "").slice(0, USER_AGENT_MAX_LENGTH);
  const address = headers.get(CLIENT_ADDRESS_HEADER);
  return {
    browser: browserOf(userAgent),
    system: systemOf(userAgent),
    maskedAddress: address === null ? null : maskAddress(address),
    addressHash: address === null ? null : keyedHash("address", networkOf(address)),
  };
}
