import type { NextConfig } from "next";
import createNextIntlPlugin from "next-intl/plugin";

const withMessages = createNextIntlPlugin({
  requestConfig: "./lib/preferences/request.ts",
  experimental: { messages: { path: "./messages", format: "json", locales: "infer", precompile: true } },
});

const HEADERS = {
  "Content-Security-Policy": "frame-ancestors 'none'; object-src 'none'; base-uri 'none'; form-action 'self'",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
};

const config: NextConfig = {
  distDir: process.env["NEXT_DIST_DIR"] ?? ".next",
  poweredByHeader: false,
  reactStrictMode: true,
  headers: async () => [
    { source: "/:path*", headers: Object.entries(HEADERS).map(([key, value]) => ({ key, value })) },
  ],
  serverExternalPackages: ["@electric-sql/pglite", "@node-rs/argon2", "lossless-json", "pg", "pino"],
};

export default withMessages(config);
