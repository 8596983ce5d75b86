"use client";

import { useCallback, useRef, useState } from "react";
import { useCarriedToken } from "@/app/use-carried-token";
import { openPasswordLink } from "@/lib/staff/actions";
import type { PasswordLinkView } from "@/lib/staff/rules";

export type Standing =
  | { step: "opening" }
  | { step: "ask" }
  | { step: "gone" }
  | { step: "failed" }
  | { step: "open"; view: PasswordLinkView; token: string };

/** The page belongs to no desk: what it sends is for whoever holds the link. */
const NO_DESK = "";

async function readStanding(token: string): Promise<Standing> {
  if (token === "") return { step: "ask" };
  const [asked] = await Promise.allSettled([openPasswordLink({ token }, NO_DESK)]);
  if (asked.status === "rejected") return { step: "failed" };
  const answer = asked.value;
  if (answer.ok) return { step: "open", view: answer.data, token };
  const { kind } = answer.error;
  return { step: kind === "not-found" || kind === "invalid" ? "gone" : "failed" };
}

/** What the link is good for; `look` asks again, `askAnew` begins without it. */
export function usePasswordLink(): { standing: Standing; look: () => void; askAnew: () => void } {
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
  return { standing, look, askAnew: () => setStanding({ step: "ask" }) };
}
