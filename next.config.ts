import type { NextConfig } from "next";
import createNextIntlPlugin from "next-intl/plugin";

const withMessages = createNextIntlPlugin({
  requestConfig: "./lib/preferences/request.ts",
  experimental: { messages: { path: "./messages", format: "json", locales: "infer", precompile: true } },
});

const config: NextConfig = {
  distDir: process.env["NEXT_DIST_DIR"] ?? ".next",
  poweredByHeader: false,
  reactStrictMode: true,
  // No screen shows an image that needs it: its address answers 404.
  images: { unoptimized: true },
  serverExternalPackages: [
    "@electric-sql/pglite",
    "@node-rs/argon2",
    "fontkit",
    "lossless-json",
    "pdfkit",
    "pg",
    "pino",
  ],
};

export default withMessages(config);
