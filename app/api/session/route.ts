import { isOwnOrigin } from "@/lib/action";
import { notePresence } from "@/lib/auth/sessions";
import { getSession } from "@/lib/auth/session";
import { hasPasskey, readProofWay } from "@/lib/auth/factor";
import { env } from "@/lib/settings/env";

export const dynamic = "force-dynamic";

const headers = { "cache-control": "no-store" };
const refuse = (status: number, kind: string) => Response.json({ error: { kind } }, { status, headers });

export async function GET(): Promise<Response> {
  const session = await getSession();
  if (session === null) return refuse(401, "unauthenticated");
  const [proofWay, isPasskeyHeld] = await Promise.all([readProofWay(session), hasPasskey(session)]);
  return Response.json({ proofWay, hasPasskey: isPasskeyHeld, isProven: session.isProven }, { headers });
}

/** At most once a minute; background requests do not count. */
export async function POST(request: Request): Promise<Response> {
  if (!isOwnOrigin(request.headers.get("origin"), env().publicUrl)) return refuse(403, "forbidden");
  const session = await getSession();
  const endsInMs = session === null ? null : await notePresence(session);
  if (endsInMs === null) return refuse(401, "unauthenticated");
  return Response.json({ endsInMs }, { headers });
}
