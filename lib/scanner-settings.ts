import { z } from "zod";
import { isLoopback } from "@/lib/loopback";

/** Where clamd listens: a socket of this machine, or a host and a port. */
export type ScannerAddress = { path: string } | { host: string; port: number };

const error = "must be the path of clamd's socket, or host:port of this machine";

const Address = z.string().transform((text, context): ScannerAddress => {
  if (text.startsWith("/")) return { path: text };
  const [, host = "", port = ""] = /^(\[[\da-f:]+\]|[\w.-]+):(\d{1,5})$/i.exec(text) ?? [];
  // What is sent is in clear: files of customers leave this machine by no such way.
  if (isLoopback(host) && Number(port) >= 1 && Number(port) <= 65_535) {
    return { host: host.replaceAll(/^\[|\]$/g, ""), port: Number(port) };
  }
  context.addIssue({ code: "custom", message: error });
  return z.NEVER;
});

export const SCANNER_SETTINGS = { CLAMD_ADDRESS: Address.optional() };
