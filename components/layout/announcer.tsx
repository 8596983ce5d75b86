"use client";

import { createContext, type ReactNode, use, useState } from "react";
import { Confirmation } from "./confirmation";

const Announce = createContext<(said: string) => void>(() => undefined);

/** Says that something was done, also where what said so leaves the screen with it. */
export const useAnnounce = () => use(Announce);

/** Shows the last thing announced until it is dismissed. */
export function Announcer({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState<string | null>(null);
  return (
    <Announce value={setSaid}>
      {children}
      <Confirmation onDismiss={() => setSaid(null)}>{said}</Confirmation>
    </Announce>
  );
}
