import NextAuth from "next-auth";
import type { NextRequest } from "next/server";
import { authOptions } from "@/lib/auth/session";

type Context = { params: Promise<{ nextauth: string[] }> };

const answer = (request: NextRequest, context: Context): Promise<Response> => NextAuth(request, context, authOptions());

/** Who signs out leaves nothing behind in the browser either. */
async function answerPost(request: NextRequest, context: Context): Promise<Response> {
  const answered = await answer(request, context);
  const [verb] = (await context.params).nextauth;
  if (verb !== "signout") return answered;
  const headers = new Headers(answered.headers);
  headers.set("clear-site-data", '"cache", "storage"');
  return new Response(answered.body, { status: answered.status, headers });
}

export { answer as GET, answerPost as POST };
