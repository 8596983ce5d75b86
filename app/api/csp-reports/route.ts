import { noteReports } from "@/lib/log/csp-report";

/** Anybody may send here, so little is believed and few are noted. */
export async function POST(request: Request): Promise<Response> {
  await request.json().then(noteReports, () => undefined);
  return new Response(null, { status: 204 });
}
