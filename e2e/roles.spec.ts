import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { expectCountsLead, expectOverview } from "./support/counted";
import { inventCpf } from "./support/invent";
import { rowWith, untilSeen } from "./support/sight";
import { expect, type Role, ROLES, test } from "./support/story";
import type { Words } from "./support/words";

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

// Between them they see every count there is.
for (const role of ["compliance", "admin"] as const) {
  test(`what ${role} sees counted is what the list holds to which it leads`, async ({ signedInAs, say }) => {
    test.slow();
    await expectCountsLead(await signedInAs(role), say, { readsWallets: role === "admin" });
  });
}

/** What waits for whom. */
const HOMES = {
  compliance: ["ownCases", "dueCases", "toDecide", "refused"],
  support: ["outcomes", "held", "refused"],
  finance: ["outcomes", "held", "wallets"],
  approver: ["toAuthorise", "toDecide"],
  admin: ["failedCalls", "amiss", "invited", "toAuthorise"],
} as const;

for (const role of ["compliance", "support", "finance", "approver", "admin"] as const) {
  test(`the overview of ${role} counts what waits for them, as the list has it to which it leads`, async ({
    signedInAs,
    say,
  }) => {
    test.slow();
    const page = await signedInAs(role);
    await expectOverview(page, say, HOMES[role]);
    await page.goto("/");
    const tiles = page.getByRole("main").getByRole("list").first().getByRole("link");
    await expect(tiles).toHaveCount(HOMES[role].length);
    await expectAccessible(page, `the overview of ${role}`);
  });
}

for (const screen of ["wallets", "webhooks", "calls"] as const) {
  // Who else is let in and who is not is asked cell by cell of the access table.
  for (const role of without(MAY[screen]).slice(0, 1)) {
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

  for (const role of MAY[screen].slice(0, 1)) {
    test(`${role} opens ${screen} from the navigation`, async ({ signedInAs, say }) => {
      const page = await signedInAs(role);
      await page.goto("/");
      const navigation = page.getByRole("navigation", { name: say("shell.navigation") });
      await navigation.getByRole("link", { name: say(`shell.${screen}`) }).click();
      await expect(page.getByRole("table", { name: say(`${screen}.title`) })).toBeVisible();
    });
  }
}

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
