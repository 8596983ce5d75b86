import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { inventCpf } from "./support/invent";
import { addressesOf, rowWith, untilSeen } from "./support/sight";
import { expect, test } from "./support/story";
import type { Words } from "./support/words";

const search = (page: Page, say: Words) => page.getByRole("searchbox", { name: say("kycQueue.search") });
const table = (page: Page, say: Words) => page.getByRole("table", { name: say("kyc.title") });
const caseLinks = (queue: Locator) => queue.getByRole("row").getByRole("link", { name: /\*/ });

async function searchFor(page: Page, say: Words, typed: string): Promise<void> {
  const before = page.url();
  // Before its script loads the field sends nothing, nor does the new one after a search.
  await expect(async () => {
    await search(page, say).fill(typed);
    await search(page, say).press("Enter");
    await expect(page).not.toHaveURL(before, { timeout: 2_000 });
    await expect(page).toHaveURL(/same(?:Document|Mask)As=/);
  }).toPass();
}

/** The message over the page. */
const saidAbout = (page: Page, words: string) => page.getByText(words, { exact: true });

test("an analyst finds, assigns and tags cases, saves the view and exports it", async ({
  signedInAs,
  provider,
  say,
}) => {
  const one = inventCpf();
  const other = inventCpf();
  const page = await signedInAs("compliance");
  const addresses = addressesOf(page);
  const first = await provider.openCase(one.digits);
  const second = await provider.openCase(other.digits);
  for (const id of [first, second]) await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", id);
  const queue = table(page, say);

  await page.goto("/kyc?view=unassigned");
  await searchFor(page, say, one.typed);
  await expect(queue.getByRole("row")).toHaveCount(2);
  await expect(caseLinks(queue)).toHaveText(one.masked);
  await expect(page.getByText(say("kycQueue.sameDocument", { document: one.masked }))).toBeVisible();
  await search(page, say).fill("529.982.247-26");
  await search(page, say).press("Enter");
  await expect(search(page, say)).toHaveAccessibleDescription(say("search.none.slip"));
  await expect(page).not.toHaveURL(/sameDocumentAs=/);
  await searchFor(page, say, other.masked);
  await expect(caseLinks(queue)).toHaveText(other.masked);
  const menu = page.getByRole("button", { name: new RegExp(`^${say("shell.account")}: `) });
  const dark = page.getByRole("button", { name: say("shell.themes.dark") });
  await menu.click();
  await expect(dark).toBeVisible();
  await page.keyboard.press("Escape");
  await page.context().setOffline(true);
  await search(page, say).fill(first.slice(0, 13));
  await search(page, say).press("Enter");
  await expect(search(page, say)).toHaveAccessibleDescription(say("states.connectionLost"));
  await expect(caseLinks(queue)).toHaveText(other.masked);
  await menu.click();
  await dark.click();
  await expect(page.getByText(say("common.offline"))).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText(say("common.offline"))).toBeHidden();
  await expect(dark).toHaveAttribute("aria-pressed", "false");
  await page.keyboard.press("Escape");
  await expect(caseLinks(queue)).toHaveText(other.masked);
  await page.goto(`/kyc?search=${second.slice(0, 13)}`);
  await expect(caseLinks(queue)).toHaveText(other.masked);
  const shownDigits = [one, other].map(({ masked }) => masked.replaceAll(/[*-]/g, "").replace(/^[.]/, ""));
  for (const part of [one.digits, encodeURIComponent(one.typed), ...shownDigits])
    expect(addresses.join(" ")).not.toContain(part);

  const tag = `e2e ${randomBytes(4).toString("hex")}`;
  // The second one is visible.
  for (const id of [second, first]) {
    if (id !== second) await page.goto(`/kyc?search=${id}`);
    await queue.getByRole("checkbox", { name: say("kycQueue.selectPage") }).check();
    await page.getByRole("button", { name: say("kycQueue.addTag"), exact: true }).click();
    const dialog = page.getByRole("dialog", { name: say("kycQueue.tagTitle") });
    await dialog.getByLabel(say("kycQueue.tag"), { exact: true }).fill(tag.toUpperCase());
    await dialog.getByRole("button", { name: say("kycQueue.applyTo", { exact: "yes", count: 1 }) }).click();
    await expect(saidAbout(page, say("kycQueue.tagged", { changed: 1, left: 0, name: tag }))).toBeVisible();
  }

  await page.goto(`/kyc?tags=${encodeURIComponent(tag)}`);
  await expect(caseLinks(queue)).toHaveCount(2);
  const room = page.viewportSize() ?? { width: 1280, height: 720 };
  await page.setViewportSize({ width: 1024, height: room.height });
  const step = rowWith(queue, [one.masked]).getByRole("cell", { name: say("kyc.process.kyc-backgroundcheck") });
  const assignee = queue.getByRole("columnheader", { name: say("kycQueue.columns.assignee") });
  for (const whole of [step, assignee])
    expect(await whole.evaluate((cell) => cell.scrollWidth - cell.clientWidth), "it is not cut").toBe(0);
  await page.setViewportSize({ width: 390, height: room.height });
  const narrow = rowWith(queue, [one.masked]);
  await expect(narrow.getByText(say("kycQueue.due.in", { time: "" }).trim())).toBeVisible();
  await expect(narrow.getByText(say("kyc.process.kyc-backgroundcheck"))).toBeVisible();
  await expect(narrow.getByRole("checkbox")).toBeVisible();
  await expectAccessible(page, "the queue in a narrow window");
  await search(page, say).fill("?!");
  await search(page, say).press("Enter");
  await expect(search(page, say)).toHaveAccessibleDescription(say("kycQueue.searchRefused"));
  await expectAccessible(page, "what is said under the search, in a narrow window");
  await search(page, say).fill("");
  await page.setViewportSize(room);
  await queue.getByRole("checkbox", { name: say("kycQueue.selectPage") }).check();
  await page.getByRole("button", { name: say("kycQueue.assign"), exact: true }).click();
  const assigning = page.getByRole("dialog", { name: say("kycQueue.assignTitle") });
  await assigning.getByRole("button", { name: say("kycQueue.applyTo", { exact: "yes", count: 2 }) }).click();
  const person = assigning.getByLabel(say("kycQueue.assignTo"));
  await expect(person).toHaveAccessibleDescription(say("kycQueue.choosePerson"));
  await person.selectOption({ label: "Rafael Tavares" });
  await expectAccessible(page, "the dialog of an assignment");
  await assigning.getByRole("button", { name: say("kycQueue.applyTo", { exact: "yes", count: 2 }) }).click();
  const assigned = say("kycQueue.assigned", { changed: 2, left: 0, name: "Rafael Tavares" });
  await expect(saidAbout(page, assigned)).toBeVisible();
  await expect(rowWith(queue, ["Rafael Tavares"])).toHaveCount(2);
  await expectAccessible(page, "the queue with cases selected");

  await page.goto(`/kyc?view=mine&tags=${encodeURIComponent(tag)}&sort=waiting`);
  await expect(caseLinks(queue)).toHaveCount(2);
  const name = `Visão ${tag}`;
  await page.getByRole("button", { name: say("views.keep") }).click();
  const keeping = page.getByRole("dialog", { name: say("views.keepTitle") });
  await keeping.getByLabel(say("views.name")).fill(name);
  await keeping.getByRole("button", { name: say("views.submit") }).click();
  const views = page.getByRole("navigation", { name: say("kycQueue.viewsLabel") });
  await expect(views.getByRole("link", { name })).toHaveAttribute("aria-current", "page");

  const coming = page.waitForEvent("download");
  await page.getByRole("link", { name: say("kycQueue.export") }).click();
  const lines = readFileSync(await (await coming).path(), "utf8")
    .trim()
    .split("\r\n");
  expect(lines).toHaveLength(3);
  expect(lines.join(" ")).toContain(`"${first}";"${one.masked}";"${say("kyc.type.PF")}";`);

  await page.getByRole("button", { name: say("views.change") }).click();
  const changing = page.getByRole("dialog", { name: say("views.changeTitle") });
  await changing.getByRole("button", { name: say("views.remove") }).click();
  await expect(views.getByRole("link", { name })).toHaveCount(0);
});

test(
  "the queue sorts overdue first and undated last, and no row moves while read",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
    const known = inventCpf();
    const fresh = inventCpf();
    const page = await signedInAs("compliance");
    const kycUUID = await provider.openCase(known.digits);
    await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
    const queue = table(page, say);

    await test.step("the order by the deadline", async () => {
      await page.goto("/kyc");
      await expect(queue.getByRole("row").nth(1)).toContainText(say("kycQueue.due.late", { time: "" }).trim());
      const due = queue.getByRole("columnheader", { name: say("kycQueue.columns.due") });
      await expect(due).toHaveAttribute("aria-sort", "ascending");
      const { rows } = await (await page.request.get("/api/kyc")).json();
      const deadlines: string[] = rows.map(({ dueAt }: { dueAt: string | null }) => dueAt ?? "none");
      expect(deadlines.length).toBeGreaterThan(5);
      expect(deadlines).toEqual(deadlines.toSorted((one, other) => one.localeCompare(other)));
    });

    await page.goto("/kyc?sort=arrival");
    const row = rowWith(queue, [known.masked]);
    await row.getByRole("link", { name: known.masked }).focus();
    const before = await row.boundingBox();

    const arrived = await provider.openCase(fresh.digits);
    await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", arrived);
    const news = page.getByRole("button", { name: /\d/ }).and(page.locator("[data-news]"));
    await expect(news).toBeVisible({ timeout: 30_000 });
    await provider.decideCase(kycUUID, "APPROVED");
    await expect(row).toContainText(say("kyc.status.APPROVED"), { timeout: 30_000 });
    await expect(row.getByRole("link", { name: known.masked })).toBeFocused();
    expect(await row.boundingBox()).toEqual(before);
    await expect(rowWith(queue, [fresh.masked])).toHaveCount(0);
    await expectAccessible(page, "the queue with news");

    await news.click();
    await expect(rowWith(queue, [fresh.masked])).toHaveCount(1);
    await expect(row).toHaveCount(0);
  },
);

test(
  "going back shows the current queue, even under the pointer",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
    const cpf = inventCpf();
    const page = await signedInAs("compliance");
    const kycUUID = await provider.openCase(cpf.digits);
    await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
    await page.goto("/kyc?sort=arrival");
    const row = rowWith(table(page, say), [cpf.masked]);
    await row.getByRole("link", { name: cpf.masked }).click();
    await expect(page.getByRole("heading", { name: cpf.masked, level: 1 })).toBeVisible();
    await expect(page).toHaveTitle(new RegExp(kycUUID.slice(0, 8)));
    await provider.decideCase(kycUUID, "APPROVED");
    await untilSeen(page, "/api/kyc?status=APPROVED", kycUUID);
    await page.goBack();
    await table(page, say).hover();
    await expect(row).toHaveCount(0);
  },
);

test(
  "the navigation counts the team's waiting cases and updates by itself",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
    const page = await signedInAs("compliance");
    await page.goto("/kyc");
    const link = page
      .getByRole("navigation", { name: say("shell.navigation") })
      .getByRole("link", { name: say("kyc.title"), exact: true });
    const waiting = async (): Promise<{ count: number }> => (await page.request.get("/api/kyc/waiting")).json();
    const { count } = await waiting();
    await provider.openCase(inventCpf().digits);
    await expect.poll(async () => (await waiting()).count, { timeout: 60_000 }).toBeGreaterThan(count);
    await expect(async () => {
      const now = await waiting();
      await expect(link).toHaveAccessibleDescription(
        say("owed.waiting", { count: now.count, shown: String(now.count) }),
        { timeout: 1_000 },
      );
    }).toPass();
  },
);
