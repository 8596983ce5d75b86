import { noteReports } from "@/lib/process/csp-report";

/** Where browsers tell what the page's policy kept from happening; anybody may, so little is believed and few are noted. */
export async function POST(request: Request): Promise<Response> {
  const [body] = await Promise.allSettled([request.json()]);
  if (body.status === "fulfilled") noteReports(body.value);
  return new Response(null, { status: 204 });
}
