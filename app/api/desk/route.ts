import { getDesk } from "@/lib/auth/queries";
import { readEnding } from "@/lib/auth/session";

export const dynamic = "force-dynamic";

/**
 * Who works where in this browser by now, and for how long without a sign of them: pages that were rendered for another
 * desk cover themselves, and so do those of a session that has ended, for the `reason` it did.
 */
export async function GET(): Promise<Response> {
  const headers = { "cache-control": "no-store" };
  const desk = await getDesk();
  if (desk === null) {
    const error = { kind: "unauthenticated", reason: await readEnding() };
    return Response.json({ error }, { status: 401, headers });
  }
  const { id, tenant, person, session } = desk;
  return Response.json({ id, tenant, person: { name: person.name }, endsInMs: session.endsInMs }, { headers });
}
