"use client";

import { usePathname, useRouter } from "next/navigation";
import { useState } from "react";
import { Confirmation } from "@/components/confirmation";

/** Says on a record's own screen what was just done to make it; once dismissed, its address says so no more. */
export function DoneNotice({ said }: { said: string }) {
  const router = useRouter();
  const pathname = usePathname();
  const [isShown, setShown] = useState(true);
  const dismiss = () => {
    setShown(false);
    router.replace(pathname, { scroll: false });
  };
  return <Confirmation onDismiss={dismiss}>{isShown ? said : null}</Confirmation>;
}
