import { noteReports } from "@/lib/log/csp-report";

/** Anybody may send here, so little is trusted and few reports are logged. */
export async function POST(request: Request): Promise<Response> {
  await request.json().then(noteReports, () => undefined);
  return new Response(null, { status: 204 });
}
