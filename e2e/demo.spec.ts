import { all, type Element, readPage, textOf } from "./support/markup";
import { expect, test } from "./support/story";

test.use({ ownProduct: { DEMO_ACTIVITY: "true" } });

const rowsOf = (page: Element) =>
  all(page, "tbody")
    .flatMap((body) => all(body, "tr"))
    .map(textOf);

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, "yyyy-MM-dd".length);

test(
  "a new demo fills every desk, with transfers of each outcome and decisions",
  { tag: "@long" },
  async ({ askingAs, say }) => {
    test.setTimeout(240_000);
    const request = await askingAs("approver");
    await expect(async () => {
      expect(rowsOf(await readPage(request, "/approvals"))).toHaveLength(3);
    }).toPass();
    const coins = async () => {
      const rows = rowsOf(await readPage(request, "/coins"));
      const lasting = ["DONE", "HELD", "WAITING", "UNKNOWN", "REFUSED", "REJECTED", "NOT_SENT"] as const;
      return lasting.filter((state) => !rows.some((row) => row.includes(say(`coins.states.${state}`))));
    };
    await expect.poll(coins, { timeout: 120_000 }).toEqual([]);
    const states = (["CONFIRMED", "HELD", "WAITING", "DECLINED", "REFUSED"] as const).map((state) =>
      say(`transfers.states.${state}`),
    );
    const transfers = async () => {
      const rows = rowsOf(await readPage(request, "/transfers"));
      return states.filter((state) => rows.some((row) => row.includes(state)));
    };
    await expect.poll(transfers).toEqual(states);
    const listed = async () => rowsOf(await readPage(request, "/transfers")).length;
    await expect.poll(listed).toBeGreaterThan(15);
    const decided = async () => rowsOf(await readPage(request, "/kyc/figures"));
    await expect.poll(decided).toContainEqual(expect.stringContaining("Rafael Tavares"));
    const compared = `/position?day=${daysAgo(2)}&against=${daysAgo(30)}`;
    const held = async () => rowsOf(await readPage(request, compared));
    await expect.poll(held, { timeout: 120_000 }).toContainEqual(expect.stringMatching(/R\$.*R\$/));
  },
);
