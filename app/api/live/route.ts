import { z } from "zod";
import { callerAddress, getSession } from "@/lib/auth/session";
import { scopeIdOf } from "@/lib/auth/view";
import { liveHub, openStream } from "@/lib/live/live";

export const dynamic = "force-dynamic";

const headers = { "cache-control": "no-store, no-transform", "x-accel-buffering": "no" };

/** The age in milliseconds of the page that opens the stream; an invalid one counts as unknown. */
const Age = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number);

const refuse = (status: number, kind: string) => Response.json({ error: { kind } }, { status, headers });

export async function GET(request: Request): Promise<Response> {
  const session = await getSession();
  if (session === null) return refuse(401, "unauthenticated");
  const { searchParams } = new URL(request.url);
  const scope = searchParams.get("scope");
  // The browser may have changed scope since the page was rendered.
  if (scope !== null && scope !== scopeIdOf(session)) return refuse(409, "conflict");
  const age = Age.safeParse(searchParams.get("age"));
  const reader = age.success ? { pageAgeMs: age.data } : {};
  const stream = await openStream(liveHub(), {
    ...reader,
    session,
    address: await callerAddress(),
    gone: request.signal,
  });
  if (stream === null) return refuse(429, "rate-limited");
  return new Response(stream, { headers: { ...headers, "content-type": "text/event-stream; charset=utf-8" } });
}
