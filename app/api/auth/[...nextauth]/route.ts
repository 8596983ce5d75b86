import NextAuth from "next-auth";
import type { NextRequest } from "next/server";
import { authOptions, enterByForm, hasOwnReturnAddress, signInAddress } from "@/lib/auth/session";

type Context = { params: Promise<{ nextauth: string[] }> };

/** Every other route of next-auth is closed. */
const ASKED = {
  GET: new Set(["csrf", "callback/sso"]),
  POST: new Set(["callback/credentials", "signin/sso", "signout"]),
};
/** Pages to which next-auth itself redirects a browser. */
const ITS_PAGES = new Set(["signin", "error"]);

const leadTo = (address: string) => new Response(null, { status: 303, headers: { location: address } });

async function answer(request: NextRequest, context: Context, asked: ReadonlySet<string>): Promise<Response> {
  const path = (await context.params).nextauth.join("/");
  const { searchParams } = request.nextUrl;
  if (request.method === "GET" && ITS_PAGES.has(path)) {
    return leadTo(await signInAddress(searchParams.has("error") ? "sso-failed" : undefined));
  }
  if (!asked.has(path)) return new Response(null, { status: 404 });
  if (!(await hasOwnReturnAddress(searchParams.get("callbackUrl"))))
    return leadTo(await signInAddress("return-address"));
  return NextAuth(request, context, authOptions());
}

export const GET = (request: NextRequest, context: Context): Promise<Response> => answer(request, context, ASKED.GET);

/** Other sites' forms are blocked by the front server, and a form without a script has no token to send. */
const isBareSignIn = ({ headers }: NextRequest, path: string) =>
  path === "callback/credentials" &&
  headers.get("sec-fetch-mode") === "navigate" &&
  headers.get("sec-fetch-site") === "same-origin";

/** Signing out leaves nothing behind in the browser. */
export async function POST(request: NextRequest, context: Context): Promise<Response> {
  const { nextauth: segments } = await context.params;
  if (isBareSignIn(request, segments.join("/"))) return leadTo(await enterByForm(await request.formData()));
  const answered = await answer(request, context, ASKED.POST);
  const [verb] = segments;
  if (verb !== "signout") return answered;
  const headers = new Headers(answered.headers);
  headers.set("clear-site-data", '"cache", "storage"');
  return new Response(answered.body, { status: answered.status, headers });
}
