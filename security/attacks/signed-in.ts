// What somebody may try who has a session, or a way to one.
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nothing, WRITES } from "@/test/registries/inputs";
import { startTemporaryOidc } from "@/scripts/checks/temporary-oidc.mjs";
import { type Caller, seat } from "@/e2e/support/access-callers";
import { placeFor } from "@/e2e/support/product";
import { freePort, startTemporaryProduct } from "@/scripts/checks/temporary-product.mjs";
import { accept, actionNames, Browser, invite, isDone, signedInAs } from "./people";

export type Product = Awaited<ReturnType<typeof startTemporaryProduct>>;
export type Outcome = { came: string; isRepelled: boolean };

const VICTIM = "clara@aurora.example";
const password = () => `uma frase ${randomBytes(9).toString("base64url")}`;
const Tenants = "SERVICE_TENANTS_FILE";

/** Two tenants at one provider, and the company's sign-in; what stands in this file opens the provider. */
export function tenantsFile(): string {
  const file = join(mkdtempSync(join(tmpdir(), "retaguarda-attacked-")), "tenants.json");
  const tenants = ["aurora", "boreal"].map((clientId) => ({
    clientId,
    clientSecret: randomBytes(24).toString("base64url"),
    name: clientId,
    enabledProducts: ["BANKING", "CRYPTO", "KYC"],
    allowedOperations: null,
    billingStatus: "ACTIVE",
    webhook: null,
  }));
  writeFileSync(file, JSON.stringify({ tenants }), { mode: 0o600 });
  return file;
}

/**
 * A product that starts with people of every role in its store, each at one of these tenants alone and with a session; where
 * E2E_DATABASE_URL says so, on a server. `again` starts it anew on what it has.
 */
export async function startSeated(env: Record<string, string>, tenants: readonly string[] = []) {
  const secret = randomBytes(24).toString("base64url");
  const { settings, drop } = await placeFor({ ...env, AUTH_SECRET: secret });
  const databaseUrl = settings["DATABASE_URL"] ?? null;
  let callers: Caller[] = [];
  const product = await startTemporaryProduct(settings, async (dataDir) => {
    const people = tenants.map((tenant) => ({ name: "Rui", standing: "here", tenant }) as const);
    callers = await seat({ databaseUrl, dataDir }, secret, people);
  });
  const { url, dataDir } = product;
  return {
    ...product,
    colleagues: await Promise.all(callers.map(({ cookie }) => Browser.of(url, cookie))),
    kept: databaseUrl ?? join(dataDir, "console"),
    again: () => startTemporaryProduct({ ...settings, DATA_DIR: dataDir }),
    stop: async () => {
      await product.stop();
      await drop();
    },
  };
}

/** A product whose people sign in by password or at the company, and the company's provider beside it. */
export async function startAttacked() {
  const [port, oidcPort, file] = [await freePort(), await freePort(), tenantsFile()];
  const claims = { email: VICTIM, email_verified: true, name: "Clara Nunes", roles: ["desk"] };
  const redirectUri = `http://localhost:${port}/api/auth/callback/sso`;
  const company = await startTemporaryOidc({ accounts: { clara: { claims } }, redirectUri, port: oidcPort });
  const product = await startSeated(
    {
      PORT: String(port),
      [Tenants]: file,
      OIDC_ISSUER: company.issuer,
      OIDC_CLIENT_ID: company.clientId,
      OIDC_CLIENT_SECRET: company.clientSecret,
      OIDC_ROLE_MAP: JSON.stringify({ desk: "support" }),
    },
    ["boreal", "aurora"],
  );
  const stop = async () => {
    await product.stop();
    await company.stop();
  };
  return { ...product, tenants: file, stop };
}
type Attacked = Awaited<ReturnType<typeof startAttacked>>;

/** Everything about an answer but the ids that were asked about. */
const reportedBy = (answer: string) =>
  /"ok":(?:true|false).*/s.exec(answer)?.[0].replaceAll(/"requestId":"[^"]*"/g, "") ?? "";

/** Every write with ids of Aurora's, by somebody of Boreal's: it must say what it says of ids that are nobody's. */
export async function askForForeignIds(product: Attacked): Promise<Outcome> {
  const [stranger, colleague] = product.colleagues;
  if (stranger === undefined || colleague === undefined) throw new Error("nobody was seated");
  const staffId = colleague.scope.split(":")[0] ?? "";
  const asked = { intentId: randomUUID(), email: `${randomUUID()}@aurora.example`, name: "Eva", roles: ["support"] };
  const invited = /"invitationId":"([^"]+)"/.exec(await colleague.act("staff.invitePerson", asked))?.[1] ?? "";
  const proposed = await colleague.act("staff.invitePerson", {
    ...asked,
    intentId: randomUUID(),
    email: "x@y.example",
    roles: ["approver"],
  });
  const approval = /"approvalId":"([^"]+)"/.exec(proposed)?.[1] ?? "";
  const ids = [staffId, invited, approval].filter((id) => id !== "");
  const wrong: string[] = [];
  let sent = 0;
  for (const name of actionNames) {
    const write = WRITES[name];
    // Who moves to their own tenant is where they were.
    if (write === undefined || !("about" in write) || name === "staff.switchTenant") continue;
    for (const id of ids) {
      const theirs = write.about({ uuid: id, text: id });
      const nobodys = write.about(nothing);
      // What is asked with no id is about the tenant of whoever asks.
      if (!JSON.stringify(theirs).includes(id)) continue;
      const [found, absent] = [
        reportedBy(await stranger.act(name, theirs)),
        reportedBy(await stranger.act(name, nobodys)),
      ];
      sent += found === "" || absent === "" ? 0 : 1;
      if (found.replaceAll(id, "") !== absent.replaceAll(nothing.uuid, "").replaceAll(nothing.text, ""))
        wrong.push(name);
    }
  }
  const isWhole = ids.length === 3 && sent > 60;
  const isLeft = isDone(await colleague.act("auth.endOtherSessions", null));
  return {
    came: `${sent} writes about ${ids.length} ids, ${wrong.length} told anything${wrong.length > 0 ? `: ${[...new Set(wrong)].join(", ")}` : ""}; the other's session ${isLeft ? "lives" : "is gone"}`,
    isRepelled: wrong.length === 0 && isWhole && isLeft,
  };
}

/** Follows the company's pages as `clara`, and comes back to us. */
async function enterAtCompany(url: string): Promise<boolean> {
  const browser = new Browser(url);
  const theirs = new Map<string, string>();
  const begun = await browser.auth("signin/sso", {});
  const go = async (address: string, form?: Record<string, string>): Promise<string> => {
    const cookie = [...theirs].map((pair) => pair.join("=")).join("; ");
    const sent = form && { method: "POST", body: new URLSearchParams(form) };
    const answer = await fetch(address, { ...sent, redirect: "manual", headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      theirs.set(name, value);
    }
    const next = answer.headers.get("location");
    if (next === null) return address;
    const to = new URL(next, address).href;
    return to.startsWith(url) ? to : go(to);
  };
  const signIn = await go(JSON.parse(begun.text).url);
  const back = await go(await go(signIn, { account: "clara" }), { answer: "yes" });
  await browser.ask(back.slice(url.length));
  await browser.sitDown();
  return browser.scope !== "";
}

/** An inviter takes the link themselves and waits until its person comes in by the company's sign-in. */
export async function hijackBeforehand({ url }: Attacked): Promise<Outcome> {
  const admin = await signedInAs(url, "admin");
  const chosen = password();
  const taken = await accept(url, await invite(admin, VICTIM), chosen);
  const hijacker = new Browser(url);
  const wasIn = await hijacker.enter({ email: VICTIM, password: chosen });
  const stored = hijacker.copy();
  const isVictimIn = await enterAtCompany(url);
  const { status } = await stored.ask("/api/scope");
  const again = await new Browser(url).enter({ email: VICTIM, password: chosen });
  const staffId = hijacker.scope.split(":")[0] ?? "";
  const link = isDone(await admin.actProven("staff.issueLink", { staffId }));
  const ways = [status === 200, again, link].filter(Boolean).length;
  return {
    came: `the account was taken ${taken && wasIn ? "" : "NOT "}beforehand, its person ${isVictimIn ? "came in" : "did NOT come in"}; of session, password and a new link ${ways} of 3 still open it`,
    isRepelled: taken && wasIn && isVictimIn && ways === 0,
  };
}

/** One admin alone tries to become, make or agree in the place of a second person. */
export async function makeBothPairs({ url }: Attacked): Promise<Outcome> {
  const admin = await signedInAs(url, "admin");
  const own = admin.scope.split(":")[0] ?? "";
  const puppet = { email: `${randomUUID()}@aurora.example`, password: password() };
  await accept(url, await invite(admin, puppet.email), puppet.password);
  const entered = new Browser(url);
  await entered.enter(puppet);
  const puppetId = entered.scope.split(":")[0] ?? "";
  const policy = { kind: "account.close", version: 0, rule: "never", amount: null, expiresAfterHours: 24 };
  const change = { intentId: randomUUID(), staffId: puppetId, roles: ["support", "approver"], expected: ["support"] };
  const orders: [string, object][] = [
    ["staff.setRoles", { ...change, staffId: own, roles: ["admin", "approver"], expected: ["admin"] }],
    ["staff.setRoles", change],
    [
      "staff.invitePerson",
      { intentId: randomUUID(), email: `${randomUUID()}@aurora.example`, name: "Eva", roles: ["approver"] },
    ],
    [
      "staff.invitePerson",
      { intentId: randomUUID(), email: `${randomUUID()}@aurora.example`, name: "Eva", roles: ["admin"] },
    ],
    ["staff.resetSecondFactor", { intentId: randomUUID(), staffId: own }],
    ["approvals.setApprovalPolicy", { ...policy, intentId: randomUUID() }],
  ];
  const pendingApprovals: string[] = [];
  let [refused, agreed, links] = [0, 0, 0];
  for (const [name, order] of orders) {
    const answer = await admin.actProven(name, order);
    const id = /"approvalId":"([^"]+)"/.exec(answer)?.[1];
    if (id !== undefined) pendingApprovals.push(id);
    else if (answer.includes('"ok":false')) refused += 1;
    if (/#[\w-]{43}/.test(answer)) links += 1;
  }
  for (const approvalId of pendingApprovals) {
    for (const name of ["staff.authoriseAccess", "approvals.authoriseApproval"]) {
      if (isDone(await admin.actProven(name, { approvalId }))) agreed += 1;
    }
  }
  const { status } = await entered.ask("/approvals");
  const isApprover =
    status === 200 && isDone(await entered.act("approvals.authoriseApproval", { approvalId: randomUUID() }));
  return {
    came: `of ${orders.length} orders ${refused} refused and ${pendingApprovals.length} wait for a second administrator; own agreement took ${agreed} times, links shown ${links}`,
    isRepelled: refused + pendingApprovals.length === orders.length && agreed === 0 && links === 0 && !isApprover,
  };
}

/** Whether an answer asks for a recent proof. */
const asksForProof = (answer: string) => answer.includes('"code":"step-up"');
const STEP_UP = ["auth.startEnrolment", null] as const;

/** A session whose proof is too old for what it wants: by a change of its password, and by the id from before a proof. */
export async function getRoundProof({ url, ...product }: Product): Promise<Outcome> {
  const { email, chosen } = await anyoneOfSupport({ url, ...product });
  const browser = new Browser(url);
  await browser.enter({ email, password: chosen });
  while (await browser.isProven()) await new Promise((resolve) => setTimeout(resolve, 250));
  const before = asksForProof(await browser.act(...STEP_UP));
  const next = password();
  const changed = (await browser.act("auth.changePassword", { current: chosen, next })).includes("done");
  const afterChange = asksForProof(await browser.act(...STEP_UP));
  const guessed = asksForProof(
    (await browser.act("auth.proveSelf", "not the password"), await browser.act(...STEP_UP)),
  );
  const old = browser.copy();
  await browser.act("auth.proveSelf", next);
  const proven = isDone(await browser.act(...STEP_UP));
  const oldStatus = (await old.ask("/api/scope")).status;
  const oldActs = isDone(await old.act(...STEP_UP));
  const through = [!before, !afterChange, !guessed, oldStatus === 200, oldActs].filter(Boolean).length;
  return {
    came: `${through} of 5 ways round it open; with the proof ${proven ? "it goes on" : "it does NOT go on"}, and the id from before it answers ${oldStatus}`,
    isRepelled: through === 0 && changed && proven,
  };
}

async function anyoneOfSupport({ url }: Pick<Product, "url">) {
  const admin = await signedInAs(url, "admin");
  const [email, chosen] = [`${randomUUID()}@aurora.example`, password()];
  await accept(url, await invite(admin, email), chosen);
  return { email, chosen };
}

const SHAPES: Record<string, (size: number) => string> = {
  "a number of that many digits": (size) => `{"amount":${"1".repeat(size)}}`,
  "the same as text": (size) => `{"amount":"${"1".repeat(size)}"}`,
  "text of quotes": (size) => `{"name":"${String.raw`\"`.repeat(size / 2)}"}`,
  "an address of at signs": (size) => `{"email":"${"a@".repeat(size / 2)}"}`,
  blanks: (size) => `{"name":"${" ".repeat(size)}x"}`,
  "blanks between": (size) => `{${" ".repeat(size)}"name":1}`,
  "one name many times": (size) => `{${'"name":1,'.repeat(size / 9)}"name":1}`,
  "a list": (size) => `{"members":[${"0,".repeat(size / 2)}0]}`,
  "lists within lists": (size) => `{"members":${"[".repeat(size / 2)}${"]".repeat(size / 2)}}`,
  "half characters": (size) => `{"name":"${String.raw`\ud800`.repeat(size / 6)}"}`,
};

/** Bodies of nearly a megabyte with a good token: what costs four times as much for a body of four times the size is linear. */
export async function sendQuadraticBodies({ serviceUrl, tenants }: Attacked): Promise<Outcome> {
  const [{ clientId, clientSecret }] = JSON.parse(readFileSync(tenants, "utf8")).tenants;
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
  const asked = await fetch(`${serviceUrl}/v1/authentication/oauth/access-token`, {
    method: "POST",
    headers: { authorization: `Basic ${basic}` },
  });
  const { access_token: token } = JSON.parse(await asked.text());
  const headers = { authorization: `Bearer ${token}`, "x-client-id": clientId, "content-type": "application/json" };
  const timed = async (path: string, body: string) => {
    const startedAtMs = performance.now();
    const { status } = await fetch(serviceUrl + path, { method: "POST", headers, body });
    return { status, ms: performance.now() - startedAtMs };
  };
  const slow: string[] = [];
  const statuses = new Map<number, number>();
  let [sent, slowestMs] = [0, 0];
  for (const path of ["/v1/bank-accounts/create", "/v1/kyc/person", "/v1/kyc/company", "/v1/crypto/transfer"]) {
    for (const [name, shape] of Object.entries(SHAPES)) {
      const quarter = await timed(path, shape(245_760));
      const whole = await timed(path, shape(983_040));
      sent += 2;
      slowestMs = Math.max(slowestMs, whole.ms);
      for (const { status } of [quarter, whole]) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (whole.ms > 1_500 && whole.ms > 8 * quarter.ms) slow.push(`${name} at ${path}`);
    }
  }
  const told = [...statuses].map(([status, times]) => `${times}× ${status}`).join(", ");
  const areRefusals = [...statuses.keys()].every((status) => status >= 400 && status < 500);
  return {
    came: `${sent} bodies: ${told}; the slowest took ${Math.round(slowestMs)} ms, ${slow.length} more than linear${slow.length > 0 ? `: ${slow.join("; ")}` : ""}`,
    isRepelled: slow.length === 0 && areRefusals,
  };
}
