const { UPSTREAM = "", AUTHORIZATION = "", CLIENT_ID = "" } = process.env;

export const dynamic = "force-dynamic";

/** The least that passes a call on: no session, no permission, no limit, no record, nothing checked. */
export async function GET(request: Request): Promise<Response> {
  const { search } = new URL(request.url);
  const answer = await fetch(`${UPSTREAM}/v1/bank-accounts/balance${search}`, {
    headers: { authorization: AUTHORIZATION, "x-client-id": CLIENT_ID },
    cache: "no-store",
  });
  return Response.json(await answer.json(), { status: answer.status });
}
