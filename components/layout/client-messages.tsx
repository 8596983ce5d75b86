import { NextIntlClientProvider, useMessages } from "next-intl";
import type { ReactNode } from "react";

type Namespace = keyof ReturnType<typeof useMessages>;

const EVERYWHERE = [
  "common",
  "states",
  "discard",
  "errors",
  "errorTitles",
  "outages",
  "refusals",
] as const satisfies readonly Namespace[];

export function ClientMessages({ namespaces, children }: { namespaces: readonly Namespace[]; children: ReactNode }) {
  const all = useMessages();
  const picked = Object.fromEntries([...EVERYWHERE, ...namespaces].map((name) => [name, all[name]]));
  return <NextIntlClientProvider messages={picked}>{children}</NextIntlClientProvider>;
}
