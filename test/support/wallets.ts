const UNDOCUMENTED = ["asset", "fee", "tokenAddress", "confirmations"];

type History = { data: Record<string, unknown>[] };

/** With only the documented fields of history entries, which name neither asset nor fee. */
export async function asDocumented(request: Request, answer: Response): Promise<Response> {
  if (!new URL(request.url).pathname.endsWith("/history") || !answer.ok) return answer;
  const body: History = await answer.json();
  const data = body.data.map((entry) =>
    Object.fromEntries(Object.entries(entry).filter(([name]) => !UNDOCUMENTED.includes(name))),
  );
  return Response.json({ ...body, data });
}
