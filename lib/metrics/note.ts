import { instruments } from "./instruments";

type NotedCall = {
  tenant: string;
  method: string;
  /** A template, never its values. */
  path: string;
  kind: string;
  lane: string;
  durationMs: number;
  waitedMs: number;
};

export function noteCall({ tenant, method, path, kind, lane, durationMs, waitedMs }: NotedCall): void {
  const labels = { tenant, http_request_method: method, url_template: path, outcome: kind };
  instruments().calls.observe(labels, durationMs / 1000);
  instruments().waits.observe({ tenant, lane }, waitedMs / 1000);
}

export const noteTurnedAway = (labels: { tenant: string; lane: string; reason: string }): void =>
  instruments().turnedAway.inc(labels);

export const noteRenewal = (tenant: string, outcome: string): void => instruments().renewals.inc({ tenant, outcome });

type NotedSweep = { tenant: string; watch: string; outcome: string };

export const noteSweep = (labels: NotedSweep, durationMs: number): void =>
  instruments().watches.sweeps.observe(labels, durationMs / 1000);

/** `tenant`: null when the address names none that is known. */
export const noteDelivery = (tenant: string | null, outcome: string): void =>
  instruments().deliveries.inc({ tenant: tenant ?? "", outcome });
