import { noteReports } from "@/lib/process/csp-report";

/** Anybody may send here, so little is believed and few are noted. */
export async function POST(request: Request): Promise<Response> {
  const [body] = await Promise.allSettled([request.json()]);
  if (body.status === "fulfilled") noteReports(body.value);
  return new Response(null, { status: 204 });
}
