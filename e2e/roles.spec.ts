import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { expectCountsLead, expectOverview, tilesAt } from "./support/counted";
import { inventCpf } from "./support/invent";
import { all, type Element, readPage, textOf, textsOf } from "./support/markup";
import { rowWith, untilSeen } from "./support/sight";
import { expect, type Role, ROLES, test } from "./support/story";
import type { Words } from "./support/words";

/** Who may; everybody else must be refused and told who may. */
const MAY = {
  decide: ["compliance"],
  follow: ["support", "compliance"],
  wallets: ["finance", "approver", "auditor", "admin"],
  webhooks: ["support", "finance", "auditor", "admin"],
  calls: ["auditor", "admin"],
} as const satisfies Record<string, readonly Role[]>;

const isAmong = (may: readonly Role[], role: Role) => may.includes(role);
const without = (may: readonly Role[]) => ROLES.filter((role) => !isAmong(may, role));
const named = (say: Words, roles: readonly Role[]) => roles.map((role) => say(`roles.${role}`)).join(", ");
const denial = (say: Words, roles: readonly Role[]) => say("common.notAllowed", { roles: named(say, roles) });

/** The control is visible, in the tab order, marked as disabled and gives its reason on focus. */
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

/** The same in the server's HTML. */
function expectDeniedIn(place: Element | undefined, { name, reason }: { name: string; reason: string }) {
  const within = place === undefined ? [] : [place];
  const [control] = within.flatMap((one) => all(one, "button")).filter((button) => textOf(button) === name);
  expect(control?.attributes["aria-disabled"], name).toBe("true");
  const reasons = within.flatMap((one) =>
    all(one, "span", { id: control?.attributes["aria-describedby"] ?? "", role: "tooltip" }),
  );
  expect(reasons.map(textOf)).toEqual([reason]);
}

// Between them they see every count.
for (const role of ["compliance", "admin"] as const) {
  test(`the counts ${role} sees match the lists they link to`, { tag: "@long" }, async ({ askingAs, say }) => {
    await expectCountsLead({ request: await askingAs(role) }, say, { readsWallets: role === "admin" });
  });
}

/** The work that each role's overview shows. */
const HOMES = {
  compliance: ["ownCases", "dueCases", "toDecide", "refused"],
  support: ["outcomes", "held", "refused"],
  finance: ["outcomes", "held", "wallets"],
  approver: ["toAuthorise", "toDecide"],
  admin: ["failedCalls", "needsAttention", "invited", "toAuthorise"],
} as const;

test(
  "each role's overview counts its waiting work as the linked lists do",
  { tag: "@long" },
  async ({ askingAs, say }) => {
    test.slow();
    for (const role of ["compliance", "support", "finance", "approver", "admin"] as const) {
      await test.step(role, async () => {
        const asking = { request: await askingAs(role) };
        expect(await tilesAt(asking)).toEqual(HOMES[role].map((tile) => say(`home.${tile}`)));
        await expectOverview(asking, say, HOMES[role]);
      });
    }
  },
);

test("a forbidden link is disabled with the reason; the others open", { tag: "@long" }, async ({ signedInAs, say }) => {
  const page = await signedInAs("support");
  await page.goto("/");
  await expectAccessible(page, "the overview of support");
  const navigation = page.getByRole("navigation", { name: say("shell.navigation") });
  const folded = navigation.getByRole("button", { name: say("wallets.title") });
  await expect(folded).toBeHidden();
  await navigation.locator("summary").click();
  for (const screen of ["wallets", "calls"] as const) {
    await expectDenied(page, { name: say(`${screen}.title`), reason: denial(say, MAY[screen]) });
    await expect(navigation.getByRole("link", { name: say(`${screen}.title`) })).toHaveCount(0);
  }
  await navigation.getByRole("link", { name: say("webhooks.title") }).click();
  await expect(page.getByRole("table", { name: say("webhooks.title") })).toBeVisible();
});

test("a forbidden screen names the roles that may open it and carries no data", async ({ askingAs, provider, say }) => {
  // access.spec.ts checks every cell of the access table.
  for (const screen of ["wallets", "webhooks", "calls"] as const) {
    const [refused] = without(MAY[screen]);
    if (refused === undefined) throw new Error(`${screen} is open to everybody`);
    const told = await readPage(await askingAs(refused), `/${screen}`);
    const texts = all(told, "main").flatMap(textsOf);
    expect(texts).toContain(say("absent.forbiddenTitle"));
    expect(texts).toContain(say("absent.forbiddenBody", { roles: named(say, MAY[screen]) }));
    expect(all(told, "table")).toEqual([]);
    const request = await askingAs(MAY[screen][0]);
    const links = all(await readPage(request, "/"), "nav", { "aria-label": say("shell.navigation") });
    expect(links.flatMap((navigation) => all(navigation, "a", { href: `/${screen}` }))).not.toEqual([]);
    const shown = await readPage(request, `/${screen}`);
    expect(all(shown, "table", { "aria-label": say(`${screen}.title`) })).toHaveLength(1);
  }
  const { walletId, address } = await provider.createWallet("BTC");
  const request = await askingAs("support");
  for (const path of ["/wallets", `/wallets/${walletId}`]) {
    for (const headers of [{}, { rsc: "1" }]) {
      const answer = await request.get(path, { headers });
      expect(await answer.text()).not.toContain(address);
    }
  }
});

test("a role that may neither decide nor follow sees both disabled with the reason", async ({
  signedInAs,
  askingAs,
  provider,
  say,
}) => {
  const cpf = inventCpf();
  const kycUUID = await provider.openCase(cpf.digits);
  const toDecide = { name: say("kyc.decide"), reason: denial(say, MAY.decide) };
  const toFollow = { name: say("onboarding.follow"), reason: denial(say, MAY.follow) };
  const page = await signedInAs("finance");
  await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
  for (const role of ROLES) {
    const request = await askingAs(role);
    if (!isAmong(MAY.decide, role)) {
      const queue = await readPage(request, "/kyc?sort=arrival");
      const [row] = all(queue, "tr").filter((one) => textOf(one).includes(cpf.masked));
      for (const place of [row, await readPage(request, `/kyc/${kycUUID}`)]) expectDeniedIn(place, toDecide);
    }
    if (!isAmong(MAY.follow, role)) expectDeniedIn(await readPage(request, "/onboarding"), toFollow);
  }

  await page.goto("/kyc?sort=arrival");
  const row = rowWith(page.getByRole("table", { name: say("kyc.title") }), [cpf.masked]);
  await expect(row.getByRole("button")).toHaveAccessibleDescription(toDecide.reason);
  await row.getByRole("link").first().click();
  await expect(page).toHaveURL(`/kyc/${kycUUID}?sort=arrival`);
  await expectDenied(page, toDecide);
  await page.getByRole("button", { name: toDecide.name }).press("Enter");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page
    .getByRole("navigation", { name: say("shell.navigation") })
    .getByRole("link", { name: say("onboarding.title") })
    .click();
  await expectDenied(page, toFollow);
});
