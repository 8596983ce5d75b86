import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NextConfig } from "next";
import { PHASE_PRODUCTION_BUILD } from "next/constants";
import createNextIntlPlugin from "next-intl/plugin";

const withMessages = createNextIntlPlugin({
  requestConfig: "./lib/preferences/request.ts",
  experimental: { messages: { path: "./messages", format: "json", locales: "infer", precompile: true } },
});

const config = {
  distDir: process.env["NEXT_DIST_DIR"] ?? ".next",
  // Else a lock file in a folder above is taken for the root, and actions bear other names.
  turbopack: { root: process.cwd() },
  poweredByHeader: false,
  // `withCompression` of the console's server does it.
  compress: false,
  reactStrictMode: true,
  // Next's minimum: prefetched pages are dropped again soon.
  experimental: { staleTimes: { static: 30 } },
  // No screen needs optimised images, so that route answers 404.
  images: { unoptimized: true },
  serverExternalPackages: [
    "@electric-sql/pglite",
    "@node-rs/argon2",
    "fontkit",
    "lossless-json",
    "pdfkit",
    "pg",
    "pino",
    "prom-client",
  ],
} satisfies NextConfig;

/** Only the build computes each page's messages, and its workers read them from a file: no variable of a process may be as long. */
export default async function configured(phase: string): Promise<NextConfig> {
  if (phase !== PHASE_PRODUCTION_BUILD) return withMessages(config);
  const folder = join(config.distDir, "cache");
  const file = process.env["CLIENT_KEYS_FILE"] ?? join(folder, "client-keys.json");
  if (process.env["CLIENT_KEYS_FILE"] === undefined) {
    const { clientKeys } = await import("./scripts/checks/client-keys.mjs");
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, JSON.stringify(clientKeys()));
    process.env["CLIENT_KEYS_FILE"] = file;
  }
  return withMessages({ ...config, env: { CLIENT_KEYS: readFileSync(file, "utf8") } });
}
