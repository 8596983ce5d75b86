import Link from "next/link";
import type { ReactNode } from "react";
import { buttonClass } from "./button";
import { DeniedButton } from "./denied-button";

type PermittedLinkProps = {
  href: string;
  /** Null: permitted. */
  denial: string | null;
  isPrimary?: boolean;
  children: ReactNode;
};

export function PermittedLink({ href, denial, isPrimary = false, children }: PermittedLinkProps) {
  if (denial !== null) {
    return (
      <DeniedButton reason={denial} className={buttonClass("plain")}>
        {children}
      </DeniedButton>
    );
  }
  return (
    <Link href={href} prefetch={false} className={buttonClass(isPrimary ? "primary" : "plain")}>
      {children}
    </Link>
  );
}
