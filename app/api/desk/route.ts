import { getDesk } from "@/lib/auth/queries";

export const dynamic = "force-dynamic";

/** Who works where in this browser by now: pages that were rendered for another desk cover themselves. */
export async function GET(): Promise<Response> {
  const headers = { "cache-control": "no-store" };
  const desk = await getDesk();
  if (desk === null) return Response.json({ error: { kind: "unauthenticated" } }, { status: 401, headers });
  const { id, tenant, person } = desk;
  return Response.json({ id, tenant, person: { name: person.name } }, { headers });
}
