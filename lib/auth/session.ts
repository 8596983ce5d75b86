import "server-only";
import type { NextAuthOptions } from "next-auth";
import { decode, encode } from "next-auth/jwt";
import Credentials from "next-auth/providers/credentials";
import { getLocale, getTranslations } from "next-intl/server";
import { cookies, headers } from "next/headers";
import { after } from "next/server";
import { cache } from "react";
import { z } from "zod";
import { env } from "@/lib/settings/env";
import { log } from "@/lib/log/log";
import { sendMail } from "@/lib/mail/send";
import { saveMailLocale } from "@/lib/mail/outbox";
import { createMemory } from "@/lib/log/memory";
import { rethrowWithoutParameters, withoutParameters } from "@/lib/db/error";
import { Claims, enterByProvider, SIGN_ON, signOnProvider } from "./single-sign-on";
import { deviceOf } from "./sign-in-try";
import { CLIENT_ADDRESS_HEADER } from "@/server/addresses.mjs";
import {
  enterByEnrolment,
  enterByFactor,
  enterByPassword,
  entrancePath,
  EntryForm,
  forgetStep,
  type Opened,
  readStep,
  readStepWay,
  returnPath,
  saveStep,
} from "./entry";
import type { PasskeyAnswer } from "./passkeys";
import { type AddressRefusal, recordAddressRefusal } from "./allowed-addresses";
import { endSession, findEnding, findSessionFrom, isRefused, type Session, SESSION_LIFETIME_MS } from "./sessions";
import type { EndReason } from "@/lib/db/tables/auth";

const SessionToken = z.object({ sid: z.string(), exp: z.number() });
const MAX_COOKIES = 5_000;
const SignedIn = z.object({ sid: z.string() });

const isSecure = () => env().publicUrl.protocol === "https:";
// __Host- binds a cookie to this host; browsers accept that prefix over https only.
const onThisHost = (name: string) => (isSecure() ? `__Host-${name}` : name);
const cookieName = () => onThisHost("retaguarda-session");

/** Appears in a URL: fixed words, and at most seconds to wait. */
class Refusal extends Error {}

const tooEarly = ({ waitMs }: { waitMs: number }) => new Refusal(`wait-${Math.ceil(waitMs / 1000)}`);

async function byPassword(given: { email: string; password: string }): Promise<Opened | null> {
  const entered = await enterByPassword({ ...given, device: deviceOf(await headers()) });
  if (entered === null || "sessionId" in entered) return entered;
  if ("waitMs" in entered) throw tooEarly(entered);
  await saveStep(entered.step);
  throw new Refusal((await readStepWay(entered.step)) === "passkey" ? "passkey-step" : "second-step");
}

async function byFactor(given: string | PasskeyAnswer): Promise<Opened> {
  const entered = await enterByFactor(await readStep(), given, deviceOf(await headers()));
  if (typeof entered === "string") throw new Refusal(entered);
  if ("waitMs" in entered) throw tooEarly(entered);
  await forgetStep();
  return entered;
}

async function byEnrolment(typed: string): Promise<Opened> {
  const entered = await enterByEnrolment(await getOpenSession(), typed);
  if (typeof entered === "string") throw new Refusal(entered);
  return entered;
}

async function enter(given: unknown): Promise<Opened | null> {
  const { data } = EntryForm.safeParse(given);
  if (data === undefined) return null;
  if ("password" in data) return byPassword(data);
  if ("enrolment" in data) return byEnrolment(data.enrolment);
  return byFactor("code" in data ? data.code : data);
}

/** Otherwise nobody could end the session that this browser had before. */
async function leaveCarried(): Promise<void> {
  const carried = await readCookie();
  if (carried !== null) await endSession(carried, "signed-in-again");
}

async function signIn(given: unknown): Promise<{ id: string; sid: string } | null> {
  try {
    const opened = await enter(given);
    if (opened === null) return null;
    await leaveCarried();
    await saveMailLocale(opened.staffId, await getLocale());
    return { id: opened.staffId, sid: opened.sessionId };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    log.error({ err: withoutParameters(error) }, "sign-in failed");
    throw new Refusal("failed", { cause: error });
  }
}

const cookieOptions = () => ({ httpOnly: true, sameSite: "lax", path: "/", secure: isSecure() }) as const;

/** For server actions, which next-auth does not handle. */
export async function carrySession(sessionId: string): Promise<void> {
  const maxAge = SESSION_LIFETIME_MS / 1000;
  const token = await encode({ token: { sid: sessionId }, secret: env().authSecret, maxAge });
  (await cookies()).set(cookieName(), token, { ...cookieOptions(), maxAge });
}

async function refusalOf(given: unknown): Promise<string | undefined> {
  try {
    const entered = await signIn(given);
    if (entered === null) return "wrong";
    await carrySession(entered.sid);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

/** A sign-in form sent without a script. Returns the URL to continue at. */
export async function enterByForm(form: FormData): Promise<string> {
  const { next, ...given } = Object.fromEntries(form);
  const refusal = await refusalOf(given);
  return entrancePath(
    "/sign-in",
    returnPath(typeof next === "string" ? next : null),
    refusal?.endsWith("-step") ? undefined : refusal,
  );
}

const callbackCookie = () => onThisHost("retaguarda-callback");

const SIGN_ON_LASTS_SECONDS = 15 * 60;

const untilBack = (what: string) => ({
  name: onThisHost(`retaguarda-${what}`),
  options: { ...cookieOptions(), maxAge: SIGN_ON_LASTS_SECONDS },
});

export async function signInAddress(error?: string): Promise<string> {
  const next = returnPath((await cookies()).get(callbackCookie())?.value);
  return new URL(entrancePath("/sign-in", next, error), env().publicUrl).href;
}

function ownAddressOf(text: string): string | null {
  const { publicUrl } = env();
  // next-auth gives a path from the root, or a whole URL.
  const base = text.startsWith("/") ? publicUrl : undefined;
  const address = URL.canParse(text, base) ? new URL(text, base) : null;
  return address?.origin === publicUrl.origin ? address.href : null;
}

/** Whether next-auth may use this request's return URL; a foreign one in a cookie would block every sign-in. */
export async function hasOwnReturnAddress(given: string | null): Promise<boolean> {
  const planted = (await cookies()).get(callbackCookie())?.value;
  if (planted !== undefined && ownAddressOf(planted) === null) (await cookies()).delete(callbackCookie());
  return given === null || ownAddressOf(given) !== null;
}

async function notifyLinked({ name, email }: { name: string; email: string }): Promise<void> {
  const say = await getTranslations("linkMail");
  after(() => sendMail({ to: { name, address: email }, subject: say("subject"), text: say("text", { name }) }));
}

type Mailed = { name: string; email: string };

async function notifyUntold({ person, admins }: { person: Mailed; admins: readonly Mailed[] }): Promise<void> {
  const say = await getTranslations("untoldMail");
  const mailTo = ({ name, email }: Mailed) =>
    sendMail({
      to: { name, address: email },
      subject: say("subject"),
      text: say("text", { name, person: person.name }),
    });
  after(() => Promise.all(admins.map(mailTo)));
}

/** True for a session, or the URL to continue at. */
async function byProvider(user: object, profile: unknown): Promise<true | string> {
  const { oidc } = env();
  const { data } = Claims.safeParse(profile);
  if (oidc === null || data === undefined) return signInAddress("sso-failed");
  const vouched = { claims: data, oidc, device: deviceOf(await headers()) };
  const entered = await enterByProvider(vouched, { linked: notifyLinked, untold: notifyUntold });
  if (typeof entered === "string") return signInAddress(entered);
  if ("step" in entered) {
    await saveStep(entered.step);
    return signInAddress();
  }
  await leaveCarried();
  await saveMailLocale(entered.staffId, await getLocale());
  // Read by the `jwt` callback below.
  Object.assign(user, { sid: entered.sessionId });
  return true;
}

function failedAtProvider(error: unknown): Promise<string> {
  log.error({ err: withoutParameters(error) }, "single sign-on failed");
  return signInAddress("sso-failed");
}

const providersNow = () => {
  const { oidc } = env();
  const local = Credentials({
    credentials: { email: { type: "email" }, password: { type: "password" } },
    authorize: (given) => signIn(given),
  });
  return oidc === null ? [local] : [local, signOnProvider(oidc)];
};

const REASON_MAX_LENGTH = 200;
/** One line each, with nothing from the provider but its error. */
const logger: NonNullable<NextAuthOptions["logger"]> = {
  error: (code, metadata) => {
    const { message } = metadata instanceof Error ? metadata : metadata.error;
    log.warn({ code, reason: message.slice(0, REASON_MAX_LENGTH) }, "next-auth");
  },
  warn: (code) => log.warn({ code }, "next-auth"),
  debug: () => undefined,
};

/** next-auth carries only the id of a session row: tokens cannot be revoked, rows can. */
export function authOptions(): NextAuthOptions {
  return {
    secret: env().authSecret,
    session: { strategy: "jwt", maxAge: SESSION_LIFETIME_MS / 1000 },
    useSecureCookies: isSecure(),
    cookies: {
      sessionToken: { name: cookieName(), options: cookieOptions() },
      callbackUrl: { name: callbackCookie(), options: cookieOptions() },
      state: untilBack("state"),
      nonce: untilBack("nonce"),
      pkceCodeVerifier: untilBack("pkce"),
    },
    pages: { signIn: "/sign-in", error: "/sign-in" },
    providers: providersNow(),
    logger,
    callbacks: {
      redirect: ({ url }) => new URL(returnPath(url) ?? "/", env().publicUrl).href,
      signIn: ({ user, account, profile }) =>
        account?.provider === SIGN_ON ? byProvider(user, profile).catch(failedAtProvider) : true,
      jwt: ({ token, user }) => {
        const signedIn = SignedIn.safeParse(user);
        return signedIn.success ? { sid: signedIn.data.sid } : token;
      },
      // The browser needs nothing here: permissions come with the page.
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

/** Decrypting costs as much as reading the row, and a cookie's content never changes. */
const sidsOfCookies = createMemory<{ sid: string; expiresAtMs: number }>(MAX_COOKIES);

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

/** The caller's address, as the front server found it behind the proxies that it trusts. */
export const callerAddress = async (): Promise<string | null> => (await headers()).get(CLIENT_ADDRESS_HEADER);

/** Every request that acts for somebody passes here. */
const readEntry = cache(async (): Promise<Session | AddressRefusal | null> => {
  const sessionId = await readCookie();
  if (sessionId === null) return null;
  const found = await findSessionFrom(sessionId, await callerAddress()).catch(rethrowWithoutParameters);
  if (found !== null && isRefused(found)) await recordAddressRefusal(found).catch(rethrowWithoutParameters);
  return found;
});

/** Includes sessions that may only set up a second factor; null also from an address that is on no list. */
export async function getOpenSession(): Promise<Session | null> {
  const found = await readEntry();
  return found === null || isRefused(found) ? null : found;
}

/** Null while this request's address, or nobody, is refused. */
export async function getAddressRefusal(): Promise<AddressRefusal | null> {
  const found = await readEntry();
  return found !== null && isRefused(found) ? found : null;
}

/** Null also while the person must set up a second factor. */
export async function getSession(): Promise<Session | null> {
  const session = await getOpenSession();
  return session === null || session.mustEnrol ? null : session;
}

/** Why the session of this browser's cookie has ended; null without one. */
export async function readEnding(): Promise<EndReason | "address" | null> {
  if ((await getAddressRefusal()) !== null) return "address";
  const sessionId = await readCookie();
  return sessionId === null ? null : findEnding(sessionId).catch(rethrowWithoutParameters);
}
