import "server-only";
import type { NextAuthOptions } from "next-auth";
import { decode } from "next-auth/jwt";
import Credentials from "next-auth/providers/credentials";
import { cookies } from "next/headers";
import { cache } from "react";
import { z } from "zod";
import { isStorable } from "@/lib/contract/shared";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { createMemory } from "@/lib/memory";
import { rethrowWithoutParameters, withoutParameters } from "@/lib/store/error";
import { endSession, findSession, type Session, SESSION_LIFETIME_MS } from "./sessions";
import { openSession } from "./sign-in";
import { createThrottle } from "./throttle";

const SessionToken = z.object({ sid: z.string(), exp: z.number() });
const MOST_COOKIES = 5_000;
const SignInForm = z.object({ email: z.string().max(320).refine(isStorable), password: z.string().max(1_000) });
const SignedIn = z.object({ sid: z.string() });

const isSecure = () => env().publicUrl.protocol === "https:";
// __Host- binds the cookie to this very host; browsers take that prefix over https only.
const cookieName = () => (isSecure() ? "__Host-retaguarda-session" : "retaguarda-session");

const throttle = createThrottle(Date.now);

/** What goes wrong here stands in an address: the codes are fixed, and the browser has a sentence for each. */
async function signIn(given: unknown): Promise<{ id: string; sid: string } | null> {
  const { data } = SignInForm.safeParse(given);
  if (data === undefined) return null;
  const account = data.email.trim().toLowerCase();
  if (!throttle.mayTry(account)) throw new Error("too-many");
  try {
    const opened = await openSession(data.email, data.password);
    if (opened === null) throttle.failed(account);
    else throttle.succeeded(account);
    return opened && { id: opened.staffId, sid: opened.sessionId };
  } catch (error) {
    log.error({ err: withoutParameters(error) }, "sign-in failed");
    throw new Error("failed", { cause: error });
  }
}

/** next-auth carries nothing but the id of a session row: its tokens cannot be revoked, rows can. */
export function authOptions(): NextAuthOptions {
  return {
    secret: env().authSecret,
    session: { strategy: "jwt", maxAge: SESSION_LIFETIME_MS / 1000 },
    useSecureCookies: isSecure(),
    cookies: {
      sessionToken: { name: cookieName(), options: { httpOnly: true, sameSite: "lax", path: "/", secure: isSecure() } },
    },
    pages: { signIn: "/sign-in", error: "/sign-in" },
    providers: [
      Credentials({
        credentials: { email: { type: "email" }, password: { type: "password" } },
        authorize: (given) => signIn(given),
      }),
    ],
    callbacks: {
      jwt: ({ token, user }) => {
        const signedIn = SignedIn.safeParse(user);
        return signedIn.success ? { sid: signedIn.data.sid } : token;
      },
      // The browser asks for nothing here: what a person may see comes with the page.
      session: ({ session }) => ({ expires: session.expires }),
    },
    events: {
      async signOut({ token }) {
        const { data } = SessionToken.safeParse(token);
        if (data !== undefined) await endSession(data.sid);
      },
    },
  };
}

/** Decrypting costs as much as reading the session's row; what a cookie says never changes, only whether it is still heard. */
const sidsOfCookies = createMemory<{ sid: string; expiresAtMs: number }>(MOST_COOKIES);

async function readCookie(): Promise<string | null> {
  const token = (await cookies()).get(cookieName())?.value;
  if (token === undefined) return null;
  const known = sidsOfCookies.get(token);
  if (known !== undefined && Date.now() < known.expiresAtMs) return known.sid;
  try {
    const { data } = SessionToken.safeParse(await decode({ token, secret: env().authSecret }));
    if (data === undefined) return null;
    sidsOfCookies.set(token, { sid: data.sid, expiresAtMs: data.exp * 1_000 });
    return data.sid;
  } catch {
    return null;
  }
}

/** The signed-in person of this request, or null; looked up once per request. */
export const getSession = cache(async (): Promise<Session | null> => {
  const sessionId = await readCookie();
  return sessionId === null ? null : findSession(sessionId).catch(rethrowWithoutParameters);
});
