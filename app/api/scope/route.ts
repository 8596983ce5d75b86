import { getScope } from "@/lib/auth/queries";
import { readEnding } from "@/lib/auth/session";

export const dynamic = "force-dynamic";

/** Pages of another session scope, or of an ended session, cover themselves. */
export async function GET(): Promise<Response> {
  const headers = { "cache-control": "no-store" };
  const scope = await getScope();
  if (scope === null) {
    const error = { kind: "unauthenticated", reason: await readEnding() };
    return Response.json({ error }, { status: 401, headers });
  }
  const { id, tenant, person, session } = scope;
  return Response.json({ id, tenant, person: { name: person.name }, endsInMs: session.endsInMs }, { headers });
}
