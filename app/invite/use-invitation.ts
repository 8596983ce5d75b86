"use client";

import { useCallback, useRef, useState } from "react";
import { useCarriedToken } from "@/app/use-carried-token";
import { openInvitation } from "@/lib/staff/actions";
import type { Welcome } from "@/lib/staff/rules";

export type Standing =
  | { step: "opening" }
  | { step: "no-token" }
  | { step: "gone" }
  | { step: "failed" }
  | { step: "open"; welcome: Welcome; token: string };

/** The page belongs to no desk: what it sends is for whoever holds the link. */
const NO_DESK = "";

async function readStanding(token: string): Promise<Standing> {
  if (token === "") return { step: "no-token" };
  const [asked] = await Promise.allSettled([openInvitation({ token }, NO_DESK)]);
  if (asked.status === "rejected") return { step: "failed" };
  const answer = asked.value;
  if (answer.ok) return { step: "open", welcome: answer.data, token };
  const { kind } = answer.error;
  return { step: kind === "not-found" || kind === "invalid" ? "gone" : "failed" };
}

/** What the link's token is good for; `look` asks again. */
export function useInvitation(): { standing: Standing; look: () => void } {
  const [standing, setStanding] = useState<Standing>({ step: "opening" });
  const token = useRef("");
  const look = useCallback(() => void readStanding(token.current).then(setStanding), []);
  const take = useCallback(
    (carried: string) => {
      token.current = carried;
      look();
    },
    [look],
  );
  useCarriedToken(take);
  return { standing, look };
}
