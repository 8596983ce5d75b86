// People of the product under attack, as their browsers would speak for them.
import { randomUUID } from "node:crypto";
import { buildFolder } from "@/scripts/setup/build.mjs";
import { readBuild } from "@/scripts/checks/check-access";
import { DEMO_PASSWORD, demoEmail } from "@/lib/staff/records";
import type { Role } from "@/lib/auth/permission";

const { offers } = readBuild(buildFolder());

export const actionNames = [...offers.keys()];

type Answer = { status: number; text: string; location: string };

/** One browser: its cookies, and the scope that its pages are of. */
export class Browser {
  readonly #url: string;
  readonly #cookies = new Map<string, string>();
  scope = "";

  constructor(url: string) {
    this.#url = url;
  }

  /** One that holds a session's cookie, on the scope that is its. */
  static async of(url: string, cookie: string): Promise<Browser> {
    const browser = new Browser(url);
    const [name = "", value = ""] = cookie.split("=");
    browser.#cookies.set(name, value);
    await browser.sitDown();
    if (browser.scope === "") throw new Error("the session opens nothing");
    return browser;
  }

  /** What it carries, as somebody who took a copy of it would. */
  copy(): Browser {
    const taken = new Browser(this.#url);
    for (const [name, value] of this.#cookies) taken.#cookies.set(name, value);
    taken.scope = this.scope;
    return taken;
  }

  async ask(path: string, given: { headers?: Record<string, string>; body?: string } = {}): Promise<Answer> {
    const answer = await fetch(new URL(path, this.#url), {
      method: given.body === undefined ? "GET" : "POST",
      redirect: "manual",
      headers: {
        cookie: ["locale=en", ...[...this.#cookies].map((pair) => pair.join("="))].join("; "),
        ...(given.body !== undefined && { origin: this.#url }),
        ...given.headers,
      },
      ...(given.body !== undefined && { body: given.body }),
    });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      this.#cookies.set(name, value);
    }
    return { status: answer.status, text: await answer.text(), location: answer.headers.get("location") ?? "" };
  }

  /** Posts to next-auth as our pages do. */
  async auth(path: string, fields: Record<string, string>): Promise<Answer> {
    const { csrfToken } = JSON.parse((await this.ask("/api/auth/csrf")).text);
    const body = String(new URLSearchParams({ csrfToken, json: "true", callbackUrl: "/", ...fields }));
    return this.ask(`/api/auth/${path}`, { headers: { "content-type": "application/x-www-form-urlencoded" }, body });
  }

  async enter(fields: Record<string, string>): Promise<boolean> {
    const { status } = await this.auth("callback/credentials", fields);
    if (status === 200) await this.sitDown();
    return status === 200;
  }

  async sitDown(): Promise<void> {
    const { status, text } = await this.ask("/api/scope");
    if (status === 200) this.scope = JSON.parse(text).id;
  }

  /** Calls a server action without any screen; the text of its answer. */
  async act(name: string, input: unknown, scope = this.scope): Promise<string> {
    const { id = "", pages = [] } = offers.get(name) ?? {};
    const headers = {
      accept: "text/x-component",
      "next-action": id,
      "content-type": "text/plain;charset=UTF-8",
    };
    const path = (pages[0] ?? "/").replaceAll(/\[[^\]]+\]/g, "nothing-at-all");
    return (await this.ask(path, { headers, body: JSON.stringify([input, scope]) })).text;
  }

  /** A recent proof by the password, then the write that asks for one. */
  async actProven(name: string, input: unknown): Promise<string> {
    await this.act("auth.proveSelf", DEMO_PASSWORD);
    return this.act(name, input);
  }

  async isProven(): Promise<boolean> {
    return JSON.parse((await this.ask("/api/session")).text).isProven === true;
  }
}

export const isDone = (answer: string): boolean => answer.includes('"ok":true');

export async function signedInAs(url: string, role: Role, email = demoEmail(role)): Promise<Browser> {
  const browser = new Browser(url);
  if (!(await browser.enter({ email, password: DEMO_PASSWORD }))) throw new Error(`${email} did not sign in`);
  return browser;
}

/** Invites somebody of support, as an admin alone may, and answers with what the link carries. */
export async function invite(admin: Browser, email: string, roles: readonly Role[] = ["support"]): Promise<string> {
  const asked = { intentId: randomUUID(), email, name: "Clara Nunes", roles };
  const answer = await admin.actProven("staff.invitePerson", asked);
  return /invite#([\w-]{43})/.exec(answer)?.[1] ?? "";
}

/** Makes the account that the link is for. */
export async function accept(url: string, token: string, password: string): Promise<boolean> {
  return isDone(await new Browser(url).act("staff.acceptInvitation", { token, name: "Clara Nunes", password }));
}
