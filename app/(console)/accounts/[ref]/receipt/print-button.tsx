"use client";

import { Icon } from "@/components/ui/icons";
import { Button } from "@/components/ui/button";

export function PrintButton({ label }: { label: string }) {
  return (
    <Button onClick={() => window.print()}>
      <Icon of="printer" size={14} />
      {label}
    </Button>
  );
}
