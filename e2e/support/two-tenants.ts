import type { Page } from "@playwright/test";
import { fillDecision } from "./decide";
import { inventCpf } from "./invent";
import { expect, providerOf } from "./story";
import type { Tenant } from "./tenants-file";
import type { Words } from "./words";

export const [AURORA, BOREAL, VAZIA] = ["Aurora Pagamentos", "Boreal Crédito", "Vazia Bancária"];

/** For an option that is itself a list, Playwright needs its scope too. */
const more: [Partial<Tenant>[], { scope: "worker" }] = [
  [
    { clientId: "boreal", name: BOREAL },
    { clientId: "vazia", name: VAZIA, webhook: null },
  ],
  { scope: "worker" },
];

/** A product with two tenants at one provider, and a third empty one. */
export const TENANTS = {
  ownProduct: { SERVICE_DEMO_DATA: "false" },
  ownTenant: { clientId: "aurora", name: AURORA },
  moreTenants: more,
};

export const switcher = (page: Page, say: Words) =>
  page.getByRole("button", { name: say("scope.switch") }).filter({ visible: true });

/** Switches to a tenant through the menu, unless already there. */
export async function goTo(page: Page, say: Words, name: string) {
  await switcher(page, say).click();
  const choice = page.getByRole("list", { name: say("scope.tenants") }).getByRole("button", { name });
  await choice.filter({ visible: true }).click();
  await expect(switcher(page, say)).toContainText(name);
}

/** A pending case at one of the tenants, and its masked document. */
export async function openCase(product: Parameters<typeof providerOf>[0], place: 0 | 1) {
  const cpf = inventCpf();
  const provider = providerOf(product, place);
  return { provider, masked: cpf.masked, kycUUID: await provider.openCase(cpf.digits) };
}

/** A separate window whose session is at Aurora. */
export async function workingAtAurora(page: Page, say: Words, address = "/") {
  await page.goto("/");
  if (!(await switcher(page, say).textContent())?.includes(AURORA)) await goTo(page, say, AURORA);
  if (address !== "/") await page.goto(address);
}

export const cover = (page: Page, say: Words, shown = AURORA) =>
  page
    .getByRole("alertdialog", { name: say("scope.covered") })
    .filter({ has: page.getByRole("button", { name: say("scope.goBack", { shown }) }) });

export async function writeDecision(page: Page, say: Words, addition: string) {
  await page.getByRole("button", { name: say("kyc.decide"), exact: true }).click();
  const dialog = page.getByRole("dialog", { name: say("kyc.dialogTitle") });
  await fillDecision(dialog, say, { addition });
  return dialog;
}
