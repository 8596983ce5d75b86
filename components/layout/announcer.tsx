"use client";

import { createContext, type ReactNode, use, useState } from "react";
import { Confirmation } from "./confirmation";

const Announce = createContext<(said: string) => void>(() => undefined);

/** Outlives the control that announced it. */
export const useAnnounce = () => use(Announce);

export function Announcer({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState<string | null>(null);
  return (
    <Announce value={setSaid}>
      {children}
      <Confirmation onDismiss={() => setSaid(null)}>{said}</Confirmation>
    </Announce>
  );
}
