import type { Metadata, Viewport } from "next";
import localFont from "next/font/local";
import { headers } from "next/headers";
import { NextIntlClientProvider } from "next-intl";
import { getLocale } from "next-intl/server";
import type { ReactNode } from "react";
import { ClientMessages } from "@/app/client-messages";
import { EarlyEvents } from "@/app/early-events";
import { PageBoundary } from "@/components/layout/failed-view";
import { getTheme } from "@/lib/preferences/queries";
import "./globals.css";

const inter = localFont({
  src: "../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  variable: "--font-inter",
  weight: "100 900",
  display: "swap",
});

export const metadata: Metadata = {
  title: { default: "Retaguarda", template: "%s · Retaguarda" },
  robots: { index: false, follow: false },
  manifest: "/manifest.webmanifest",
  icons: {
    icon: [
      { url: "/favicon.ico", sizes: "48x48" },
      { url: "/icon.svg", type: "image/svg+xml", sizes: "any" },
    ],
    apple: { url: "/apple-touch-icon.png", sizes: "180x180" },
  },
};

export const viewport: Viewport = {
  colorScheme: "light dark",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f7f6f3" },
    { media: "(prefers-color-scheme: dark)", color: "#121211" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const [locale, theme, given] = await Promise.all([getLocale(), getTheme(), headers()]);
  const [, nonce] = /'nonce-([^']+)'/.exec(given.get("content-security-policy") ?? "") ?? [];
  return (
    // Browser translation replaces text nodes, so React could no longer update them.
    <html lang={locale} translate="no" data-theme={theme} className={inter.variable}>
      <body>
        <EarlyEvents nonce={nonce} />
        <NextIntlClientProvider messages={{}}>
          <ClientMessages of="app/layout">
            <PageBoundary>{children}</PageBoundary>
          </ClientMessages>
        </NextIntlClientProvider>
      </body>
    </html>
  );
}
