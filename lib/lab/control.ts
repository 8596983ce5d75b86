import { notFound } from "next/navigation";
import type { z } from "zod";
import { AppError } from "@/lib/errors/app-error";
import { sendOverHttp, WireError } from "@/lib/provider/wire-http";
import { env } from "@/lib/settings/env";

/** A control route of the embedded service, as `service/README.md` names it. */
export type ControlRequest = { method: "GET" | "POST"; path: `/sandbox/${string}`; body?: object };

const LIMITS = { connectMs: 2_000, firstByteMs: 10_000, totalMs: 12_000, maxBytes: 1_000_000 };

/** Answers 404 where the provider is not the embedded service that was started with this console. */
export function labOrNothing(): { baseUrl: string; token: string } {
  const { lab } = env();
  return lab ?? notFound();
}

async function send({ method, path, body }: ControlRequest) {
  const { baseUrl, token } = labOrNothing();
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const url = new URL(path, baseUrl);
  try {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return await sendOverHttp({ method, url, headers, limits: LIMITS, ...sent });
  } catch (error) {
    if (error instanceof WireError) throw new AppError("unavailable");
    throw error;
  }
}

/** Throws `AppError`: conflict when the record is no longer as it was, invalid for what the service does not take. */
export async function steer<Answer extends z.ZodType>(
  request: ControlRequest,
  answer: Answer,
): Promise<z.output<Answer>> {
  const { status, text } = await send(request);
  if (status === 400 || status === 422) throw new AppError("invalid");
  if (status === 404 || status === 409) throw new AppError("conflict");
  if (status !== 200) throw new AppError("unavailable");
  return answer.parse(JSON.parse(text));
}
