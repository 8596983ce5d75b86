// @ts-check
import { randomBytes } from "node:crypto";

const YEARS_TWO = 63_072_000;
const REPORTS = "/api/csp-reports";

/**
 * The console's own origin, and the proxies whose word about who is asking is believed: `isProxyNamed` says whether the
 * settings said anything of them.
 * @typedef {{ publicUrl: URL, isDevelopment: boolean, trusted: import("node:net").BlockList, isProxyNamed: boolean }} Setting
 */

/** What every answer carries, whoever made it. @param {Pick<Setting, "publicUrl">} setting @returns {Record<string, string>} */
export function standingHeaders({ publicUrl }) {
  return {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Origin-Agent-Cluster": "?1",
    "Permissions-Policy":
      "camera=(), display-capture=(), geolocation=(), hid=(), microphone=(), payment=(), publickey-credentials-create=(self), publickey-credentials-get=(self), serial=(), usb=()",
    "Referrer-Policy": "no-referrer",
    "Reporting-Endpoints": `csp="${REPORTS}"`,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    ...(publicUrl.protocol === "https:" && {
      "Strict-Transport-Security": `max-age=${YEARS_TWO}; includeSubDomains`,
    }),
  };
}

export const makeNonce = () => randomBytes(16).toString("base64");

export function pagePolicy(
  /** @type {string} */ nonce,
  /** @type {Pick<Setting, "publicUrl" | "isDevelopment">} */ { publicUrl, isDevelopment },
) {
  const directives = [
    "default-src 'none'",
    // React's development build rebuilds the server's stacks with eval.
    `script-src 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ""}`,
    isDevelopment ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${isDevelopment ? " ws:" : ""}`,
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    ...(isDevelopment ? [] : ["require-trusted-types-for 'script'", "trusted-types default nextjs"]),
    ...(publicUrl.protocol === "https:" ? ["upgrade-insecure-requests"] : []),
    `report-uri ${REPORTS}`,
    "report-to csp",
  ];
  return directives.join("; ");
}

/** Should a browser show it as a page, nothing of it may run. */
export const FILE_POLICY =
  "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'; require-trusted-types-for 'script'";

/** Data, and files from outside, which must not even be of our origin. */
export const ROUTE_POLICY = `${FILE_POLICY}; sandbox`;
