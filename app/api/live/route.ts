import { getSession } from "@/lib/auth/session";
import { deskIdOf } from "@/lib/auth/view";
import { liveHub } from "@/lib/live/live";
import { openStream } from "@/lib/live/live";

export const dynamic = "force-dynamic";

const headers = { "cache-control": "no-store, no-transform", "x-accel-buffering": "no" };

const refuse = (status: number, kind: string) => Response.json({ error: { kind } }, { status, headers });

export async function GET(request: Request): Promise<Response> {
  const session = await getSession();
  if (session === null) return refuse(401, "unauthenticated");
  const desk = new URL(request.url).searchParams.get("desk");
  // The browser may have changed scope since the page was rendered.
  if (desk !== null && desk !== deskIdOf(session)) return refuse(409, "conflict");
  const lastEventId = request.headers.get("last-event-id");
  const stream = await openStream(liveHub(), { session, lastEventId, gone: request.signal });
  if (stream === null) return refuse(429, "rate-limited");
  return new Response(stream, { headers: { ...headers, "content-type": "text/event-stream; charset=utf-8" } });
}
