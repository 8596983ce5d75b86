import type { Page } from "@playwright/test";
import { expectCountsLead } from "./counted";
import { fillDecision } from "./decide";
import { inventCpf } from "./invent";
import { type CapturedAction, callAction, fromOwnDesk, nextAction } from "./server-action";
import { rowWith, untilSeen } from "./sight";
import { expect, type Role, ROLES, test } from "./story";
import type { Words } from "./words";

/** Who may; everyone else must be told who may, and be refused. */
const MAY = {
  decide: ["compliance"],
  follow: ["support", "compliance"],
  wallets: ["finance", "approver", "auditor", "admin"],
  webhooks: ["support", "finance", "auditor", "admin"],
  calls: ["auditor", "admin"],
} as const satisfies Record<string, readonly Role[]>;

const without = (may: readonly Role[]) => ROLES.filter((role) => !may.includes(role));
const named = (say: Words, roles: readonly Role[]) => roles.map((role) => say(`roles.${role}`)).join(", ");
const denial = (say: Words, roles: readonly Role[]) => say("common.notAllowed", { roles: named(say, roles) });

/** The control is in sight and in the tab order, is marked as disabled and says why when it gets the focus. */
async function expectDenied(page: Page, { name, reason }: { name: string | RegExp; reason: string }) {
  const control = page.getByRole("button", { name, exact: true }).first();
  await expect(control).toBeVisible();
  await expect(control).toHaveAttribute("aria-disabled", "true");
  await expect(control).toHaveAccessibleDescription(reason);
  await control.focus();
  await expect(page.getByRole("tooltip").filter({ visible: true })).toHaveText(reason);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("tooltip").filter({ visible: true })).toHaveCount(0);
}

for (const role of ROLES) {
  test(`what ${role} sees counted is what the list holds to which it leads`, async ({ signedInAs, say }) => {
    test.slow();
    const readsWallets = !without(MAY.wallets).includes(role);
    await expectCountsLead(await signedInAs(role), say, { readsWallets });
  });
}

for (const screen of ["wallets", "webhooks", "calls"] as const) {
  for (const role of without(MAY[screen])) {
    test(`${role} sees ${screen} disabled with the reason, on the way there and at its address`, async ({
      signedInAs,
      say,
    }) => {
      const page = await signedInAs(role);
      await page.goto("/");
      await page
        .getByRole("navigation", { name: say("shell.navigation") })
        .locator("summary")
        .click();
      await expectDenied(page, { name: say(`shell.${screen}`), reason: denial(say, MAY[screen]) });
      await page.goto(`/${screen}`);
      await expect(page.getByRole("heading", { name: say("absent.forbiddenTitle") })).toBeVisible();
      const who = say("absent.forbiddenBody", { roles: named(say, MAY[screen]) });
      await expect(page.getByText(who)).toBeVisible();
      await expect(page.getByRole("table")).toHaveCount(0);
    });
  }

  for (const role of MAY[screen]) {
    test(`${role} opens ${screen} from the navigation`, async ({ signedInAs, say }) => {
      const page = await signedInAs(role);
      await page.goto("/");
      const navigation = page.getByRole("navigation", { name: say("shell.navigation") });
      await navigation.getByRole("link", { name: say(`shell.${screen}`) }).click();
      await expect(page.getByRole("table", { name: say(`${screen}.title`) })).toBeVisible();
    });
  }
}

test("every role reaches the queues and the accounts", async ({ signedInAs, say }) => {
  test.slow();
  for (const role of ROLES) {
    const page = await signedInAs(role);
    for (const screen of ["kyc", "onboarding", "accounts"] as const) {
      await page.goto(`/${screen}`);
      await expect(page.getByRole("heading", { level: 1, name: say(`${screen}.title`) })).toBeVisible();
    }
  }
});

test("who may not decide sees the decision disabled with the reason, in the queue and on the case", async ({
  signedInAs,
  provider,
  say,
}) => {
  const cpf = inventCpf();
  const kycUUID = await provider.openCase(cpf.digits);
  const reason = denial(say, MAY.decide);
  for (const role of without(MAY.decide)) {
    const page = await signedInAs(role);
    await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
    await page.goto("/kyc?sort=arrival");
    const row = rowWith(page.getByRole("table", { name: say("kyc.title") }), [cpf.masked]);
    await expect(row.getByRole("button")).toHaveAccessibleDescription(reason);
    await page.goto(`/kyc/${kycUUID}`);
    await expectDenied(page, { name: say("kyc.decide"), reason });
    await page.getByRole("button", { name: say("kyc.decide") }).press("Enter");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
});

test("who may not follow onboardings sees it disabled with the reason", async ({ signedInAs, say }) => {
  for (const role of without(MAY.follow)) {
    const page = await signedInAs(role);
    await page.goto("/onboarding");
    await expectDenied(page, { name: say("onboarding.follow"), reason: denial(say, MAY.follow) });
  }
});

/** The decision as compliance sends it, about a case of its own. */
async function captureDecision(page: Page, say: Words, kycUUID: string): Promise<CapturedAction> {
  await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
  await page.goto(`/kyc/${kycUUID}`);
  await page.getByRole("button", { name: say("triage.claim"), exact: true }).click();
  await expect(page.getByRole("button", { name: say("triage.release"), exact: true })).toBeVisible();
  await page.getByRole("button", { name: say("kyc.decide") }).click();
  const dialog = page.getByRole("dialog");
  await fillDecision(dialog, say);
  const [action] = await Promise.all([
    nextAction(page),
    dialog.getByRole("button", { name: say("kyc.submitApprove") }).click(),
  ]);
  await expect(dialog).toBeHidden();
  return action;
}

test("the server refuses a decision sent without a screen by who may not decide", async ({
  signedInAs,
  provider,
  product,
  stranger,
  say,
}) => {
  const [decided, untouched] = [inventCpf().digits, inventCpf().digits];
  const [shown, target] = [await provider.openCase(decided), await provider.openCase(untouched)];
  const compliance = await signedInAs("compliance");
  const captured = await captureDecision(compliance, say, shown);
  const forged = (intent: number): CapturedAction => ({
    ...captured,
    body: captured.body
      .replaceAll(shown, target)
      .replace(/("intentId":")[^"]+/, `$1${"0".repeat(8)}-0000-4000-8000-${String(intent).padStart(12, "0")}`),
  });

  for (const [index, role] of without(MAY.decide).entries()) {
    const page = await signedInAs(role);
    const answer = await callAction(page, await fromOwnDesk(page, forged(index)), product.url);
    expect(await answer.text(), role).toMatch(/"ok":false.*"kind":"forbidden"/);
    const inTheirName = await callAction(page, forged(index), product.url);
    expect(await inTheirName.text(), role).toMatch(/"ok":false.*"kind":"conflict"/);
  }
  expect(await (await callAction(stranger, forged(90), product.url)).text()).toMatch(
    /"ok":false.*"kind":"unauthenticated"/,
  );
  for (const origin of ["https://evil.example", "null", null]) {
    const answer = await callAction(compliance, forged(91), origin);
    expect(await answer.text(), `origin ${origin}`).not.toContain('"ok":true');
  }
  expect(await provider.caseStatus(target)).toBe("PENDING");

  const tooLong = forged(92);
  const swollen = { ...tooLong, body: tooLong.body.replace(/("reason":")[^"]+/, `$1${"x".repeat(501)}`) };
  expect(await (await callAction(compliance, swollen, product.url)).text()).toMatch(
    /"ok":false.*"kind":"invalid".*"reason"/,
  );
  expect(await (await callAction(compliance, forged(93), product.url)).text()).toMatch(
    /"ok":false.*"kind":"conflict".*"holder":null/,
  );
  expect(await provider.caseStatus(target)).toBe("PENDING");
  await untilSeen(compliance, "/api/kyc?status=PENDING&sort=arrival", target);
  await compliance.goto(`/kyc/${target}`);
  await compliance.getByRole("button", { name: say("triage.claim"), exact: true }).click();
  await expect(compliance.getByRole("button", { name: say("triage.release"), exact: true })).toBeVisible();
  expect(await (await callAction(compliance, forged(94), product.url)).text()).toContain('"ok":true');
  expect(await provider.caseStatus(target)).toBe("APPROVED");
});

test("the server refuses following sent without a screen by who may not follow", async ({
  signedInAs,
  provider,
  product,
  say,
}) => {
  const cpf = inventCpf("003");
  await provider.requestAccount(cpf.digits);
  const support = await signedInAs("support");
  await support.goto("/onboarding");
  await support.getByRole("button", { name: say("onboarding.follow") }).click();
  const dialog = support.getByRole("dialog");
  await dialog.getByLabel(say("onboarding.query")).fill(cpf.digits);
  const [captured] = await Promise.all([
    nextAction(support),
    dialog.getByRole("button", { name: say("onboarding.followSubmit") }).click(),
  ]);
  for (const role of without(MAY.follow)) {
    const page = await signedInAs(role);
    const answer = await callAction(page, await fromOwnDesk(page, captured), product.url);
    expect(await answer.text(), role).toMatch(/"ok":false.*"kind":"forbidden"/);
  }
});

test("the routes that screens refresh from ask for a session and for the permission", async ({
  signedInAs,
  stranger,
}) => {
  for (const route of [
    "/api/kyc",
    "/api/approvals",
    "/api/approvals/owed",
    "/api/onboarding",
    "/api/wallets",
    "/api/calls",
    "/api/calls/about?kind=kyc&id=x",
  ]) {
    const answer = await stranger.request.get(route);
    expect([answer.status(), await answer.json()], route).toEqual([401, { error: { kind: "unauthenticated" } }]);
  }
  for (const role of ROLES) {
    const page = await signedInAs(role);
    expect((await page.request.get("/api/kyc")).status(), role).toBe(200);
    expect((await page.request.get("/api/onboarding")).status(), role).toBe(200);
    for (const [address, screen] of [
      ["/api/wallets", "wallets"],
      ["/api/calls/about?kind=wallet&id=x", "wallets"],
      ["/api/calls", "calls"],
    ] as const) {
      const isGranted = MAY[screen].some((may) => may === role);
      const answer = await page.request.get(address);
      expect(answer.status(), `${role} at ${address}`).toBe(isGranted ? 200 : 403);
      expect(answer.headers()["cache-control"]).toBe("no-store");
    }
  }
});

test("the screens of who may not see them carry nothing of them in their HTML", async ({ signedInAs, provider }) => {
  const { walletId, address } = await provider.createWallet("BTC");
  const page = await signedInAs("support");
  for (const path of ["/wallets", `/wallets/${walletId}`]) {
    for (const headers of [{}, { rsc: "1" }]) {
      const answer = await page.request.get(path, { headers });
      expect(await answer.text()).not.toContain(address);
    }
  }
});
