"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import Link from "next/link";
import type { ReactNode } from "react";
import { useRead } from "@/components/session/use-read";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Skeleton } from "@/components/ui/skeleton";
import { screenOf } from "@/lib/audit/object-view";
import { namingHidden } from "@/lib/text/safe-link";
import { ProviderText } from "@/components/layout/provider-text";

export function RowDetails({
  facts,
  ways,
  children,
}: {
  facts: ReactNode;
  ways: readonly Way[];
  children?: ReactNode;
}) {
  return (
    <div className="w-[100cqi] border-b border-line bg-canvas px-5 py-3.5 whitespace-normal">
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(min(18.5rem,100%),1fr))] gap-x-6 gap-y-3">{facts}</dl>
      {children}
      <ul className="mt-3.5 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {ways.map(({ href, label }) => (
          <li key={label}>
            <Link href={href} prefetch={false} className="inline-flex min-h-6 items-center text-accent hover:underline">
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

type AskedForProps<Answer> = {
  address: string;
  failed: string;
  className?: string;
  skeleton?: ReactNode;
  children: (answer: Answer) => ReactNode;
};

/** Content from one of our routes, read once it scrolls into view. */
export function AskedFor<Answer>({ address, failed, className, skeleton, children }: AskedForProps<Answer>) {
  const t = useTranslations("common");
  const read = useRead();
  const query = useQuery({
    queryKey: ["asked-for", address],
    gcTime: 0,
    queryFn: ({ signal }) => read<Answer>(address, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (query.data !== undefined) return children(query.data);
  if (!query.isError) return skeleton ?? <Skeleton className="mt-1.5 h-4 w-64" />;
  return (
    <p role="alert" className={cn("flex items-center gap-3 text-muted", className ?? "mt-1 text-sm")}>
      {failed}
      <Button size="small" isBusy={query.isFetching} onClick={() => void query.refetch()}>
        {t("retry")}
      </Button>
    </p>
  );
}

type Way = { href: string; label: string };

export function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="flex min-w-0 items-center gap-1.5">{children}</dd>
    </div>
  );
}

const SHORT_ID = 6;

type RecordLinkProps = { object: string; called?: string | undefined; seesWallets?: boolean };

export function RecordLink({ object, called, seesWallets = true }: RecordLinkProps) {
  const t = useTranslations("calls");
  const screen = screenOf(object);
  if (screen === null) return <ProviderText text={object} />;
  const id = namingHidden(called ?? screen.id.slice(0, SHORT_ID));
  const name = t("objectNamed", { object: t(`objects.${screen.kind}`), id });
  if (screen.kind === "wallet" && !seesWallets) return <span title={namingHidden(screen.id)}>{name}</span>;
  return (
    <Link
      href={screen.href}
      prefetch={false}
      title={namingHidden(screen.id)}
      className="relative z-1 text-accent hover:underline"
    >
      {name}
    </Link>
  );
}
