import { isOwnOrigin } from "@/lib/action";
import { notePresence } from "@/lib/auth/sessions";
import { getSession } from "@/lib/auth/session";
import { hasPasskey, readProofWay } from "@/lib/auth/factor";
import { env } from "@/lib/settings/env";

export const dynamic = "force-dynamic";

const headers = { "cache-control": "no-store" };
const refuse = (status: number, kind: string) => Response.json({ error: { kind } }, { status, headers });

/** By what the person proves that it is they, when something asks for that, and whether they lately did. */
export async function GET(): Promise<Response> {
  const session = await getSession();
  if (session === null) return refuse(401, "unauthenticated");
  const [proofWay, isPasskeyHeld] = await Promise.all([readProofWay(session), hasPasskey(session)]);
  return Response.json({ proofWay, hasPasskey: isPasskeyHeld, isProven: session.isProven }, { headers });
}

/** A sign of the person, which a page gives at most once a minute: what pages read by themselves is none. */
export async function POST(request: Request): Promise<Response> {
  if (!isOwnOrigin(request.headers.get("origin"), env().publicUrl)) return refuse(403, "forbidden");
  const session = await getSession();
  const endsInMs = session === null ? null : await notePresence(session);
  if (endsInMs === null) return refuse(401, "unauthenticated");
  return Response.json({ endsInMs }, { headers });
}
