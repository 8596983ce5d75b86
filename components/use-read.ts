"use client";

import { useCallback } from "react";
import { DESK_HEADER } from "@/lib/desk";
import { useDesk } from "./desk";

export const SIGNED_OUT = 401;
export const OTHER_DESK = 409;

type Read = <Answer>(address: string, signal: AbortSignal) => Promise<Answer>;

/** Reads a route of ours for the desk of this tab and for no other; rejects with the HTTP status as the error's `cause`. */
export function useRead(): Read {
  const { id, look } = useDesk();
  return useCallback(
    async (address, signal) => {
      const response = await fetch(address, { signal, headers: { accept: "application/json", [DESK_HEADER]: id } });
      if (response.status === OTHER_DESK) look();
      if (!response.ok) throw new Error(`${address} was not read`, { cause: response.status });
      return response.json();
    },
    [id, look],
  );
}
