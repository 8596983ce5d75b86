"use client";

import { useCallback } from "react";
import { useScope } from "@/components/session/scope";
import { SCOPE_HEADER } from "@/lib/auth/view";
import { type ActionResult, FAILURE_HEADER } from "@/lib/errors/result";

/** After this long, people want an explanation. */
const LONG_MS = 1_500;

const followers = new Set<() => void>();

function notify(): void {
  for (const listener of followers) listener();
}

export function followWaits(listener: () => void): () => void {
  followers.add(listener);
  return () => void followers.delete(listener);
}

export function reportSlowCalls<Answer>(
  work: Promise<Answer>,
  isTurnedAway: (outcome: PromiseSettledResult<Answer>) => boolean,
): Promise<Answer> {
  const timer = setTimeout(notify, LONG_MS);
  const ended = (outcome: PromiseSettledResult<Answer>) => {
    clearTimeout(timer);
    if (isTurnedAway(outcome)) notify();
  };
  void work.then(
    (value) => ended({ status: "fulfilled", value }),
    (reason: unknown) => ended({ status: "rejected", reason }),
  );
  return work;
}

export const SIGNED_OUT = 401;
export const OTHER_SCOPE = 409;

type Read = <Answer>(address: string, signal: AbortSignal) => Promise<Answer>;

const TURNED_AWAY: readonly unknown[] = [429, 503];

const isTurnedAway = (outcome: PromiseSettledResult<unknown>) =>
  outcome.status === "rejected" && outcome.reason instanceof Error && TURNED_AWAY.includes(outcome.reason.cause);

function useAnswered(accept: string): (address: string, signal: AbortSignal) => Promise<Response> {
  const { id, revalidate } = useScope();
  return useCallback(
    async (address, signal) => {
      const response = await fetch(address, { signal, headers: { accept, [SCOPE_HEADER]: id } });
      if (response.status === OTHER_SCOPE || response.status === SIGNED_OUT) revalidate();
      if (!response.ok) {
        const digest = response.headers.get(FAILURE_HEADER) ?? "";
        throw Object.assign(new Error(`${address} was not read`, { cause: response.status }), { digest });
      }
      return response;
    },
    [accept, id, revalidate],
  );
}

export function useQuietRead(): Read {
  const answered = useAnswered("application/json");
  return useCallback(async (address, signal) => (await answered(address, signal)).json(), [answered]);
}

/** A file's bytes. Rejects as `useRead`. */
export function useReadFile(): (address: string, signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>> {
  const answered = useAnswered("*/*");
  return useCallback(
    async (address, signal) => new Uint8Array(await (await answered(address, signal)).arrayBuffer()),
    [answered],
  );
}

/** Reads for this tab's session scope only. Rejects with the HTTP status as `cause`, and what `readDigest` reads. */
export function useRead(): Read {
  const read = useQuietRead();
  return useCallback((address, signal) => reportSlowCalls(read(address, signal), isTurnedAway), [read]);
}

type Ask = <Answer>(address: string, question: object, signal: AbortSignal) => Promise<ActionResult<Answer>>;

export function useAsk(): Ask {
  const { id, revalidate } = useScope();
  return useCallback(
    async (address, question, signal) => {
      const headers = { "content-type": "application/json", [SCOPE_HEADER]: id };
      const response = await fetch(address, { method: "POST", signal, headers, body: JSON.stringify(question) });
      if (response.status === OTHER_SCOPE || response.status === SIGNED_OUT) revalidate();
      return response.json();
    },
    [id, revalidate],
  );
}
