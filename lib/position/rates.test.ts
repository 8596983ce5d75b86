import { getLocale } from "next-intl/server";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { civilDaysAgo } from "@/lib/text/time";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { signedInBeside } from "@/test/support/slices";
import { importRates, setRate } from "./rates";
import { RateOrder } from "./inputs";
import { positionRate, positionSum } from "@/lib/db/tables/position";

const day = civilDaysAgo(1);
const TOKEN = "0xdAC17F958D2ee523a2206206994597C13D831ec7";

let db: Db;
let finance: ReturnType<typeof actorOf<"position:rate">>;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  finance = actorOf("finance", await givenStaff(db, "finance"), "position:rate");
  vi.mocked(getLocale).mockResolvedValue("pt-BR");
  const sum = { tenant: "aurora", day, kind: "untold", part: "available", readings: 1, unread: 0 } as const;
  await db.insert(positionSum).values([
    { ...sum, network: "ETHEREUM", asset: "ETH", token: "", amount: "1" },
    { ...sum, network: "BSC", asset: "BNB", token: "", amount: "1" },
    { ...sum, network: "ETHEREUM", asset: "USDT", token: TOKEN, amount: "1" },
  ]);
});

const order = (changes: Partial<RateOrder> = {}) =>
  RateOrder.parse({
    network: "ETHEREUM",
    asset: "ETH",
    token: "",
    value: "10000.5",
    day,
    source: "PTAX",
    ...changes,
  });

const records = async () => (await db.select().from(auditEvent)).filter(({ code }) => code === "position.rate");

describe("a rate", () => {
  it("is saved and recorded once, however often and at once it is sent", async () => {
    await Promise.all(Array.from({ length: 5 }, () => setRate(finance, order())));
    await setRate(finance, order({ value: "10000.50" }));
    expect(await db.$count(positionRate)).toBe(1);
    expect(await records()).toHaveLength(1);
  });

  it("stands beside the one that it replaces", async () => {
    await setRate(finance, order());
    await setRate(finance, order({ value: "9999" }));
    await setRate(finance, order());
    expect(await db.$count(positionRate)).toBe(3);
  });

  it("is refused for a coin that no sum names", async () => {
    await expect(setRate(finance, order({ token: "0xfake" }))).rejects.toMatchObject({ kind: "not-found" });
    expect(await records()).toEqual([]);
  });

  it.each(["0", "1.234.567", "R$ 5", "-1", ""])("refuses the rate %j", (value) => {
    expect(RateOrder.safeParse({ ...order(), value }).success).toBe(false);
  });

  it("refuses a rate for a future day", () => {
    expect(RateOrder.safeParse({ ...order(), day: civilDaysAgo(-1) }).success).toBe(false);
  });
});

const outcomes = async (csv: string) => {
  const { rows } = await importRates(finance, { csv });
  return rows.map(({ line, outcome }) => `${line} ${outcome}`);
};

describe("a file of rates", () => {
  it("saves each good row of rates and explains each bad one", async () => {
    const on = day.split("-").toReversed().join("/");
    const rows = [
      "Rede;Ativo;Contrato;Cotação;Data;Fonte",
      `ETHEREUM;ETH;;12.345;${on};PTAX`,
      `ETHEREUM;ETH;;cinco;${on};PTAX`,
      `ethereum;ETH;;R$ 12.345,67;${on};PTAX`,
      `ETHEREUM;ETH;;12345,68;${on};PTAX`,
      `ETHEREUM;USDT;${TOKEN.toLowerCase()};5,4321;${day};"Mesa; manhã"`,
      `ETHEREUM;USDT;;5,4321;${on};PTAX`,
      `ETHEREUM;ETH;;5;${civilDaysAgo(-1)};PTAX`,
      `ETHEREUM;ETH;;5;${civilDaysAgo(3)}`,
    ];
    expect(await outcomes(rows.join("\r\n"))).toEqual([
      "2 ambiguous-rate",
      "3 bad-rate",
      "4 saved",
      "5 repeated",
      "6 saved",
      "7 unknown-asset",
      "8 bad-day",
      "9 bad-source",
    ]);
    const saved = await db.select().from(positionRate).orderBy(positionRate.asset);
    expect(saved).toMatchObject([
      { asset: "ETH", token: "", value: "12345.67", source: "PTAX" },
      { asset: "USDT", token: TOKEN, value: "5.4321", source: "Mesa; manhã" },
    ]);
    expect(await records()).toHaveLength(2);
  });

  it("takes a network by the name that screens show", async () => {
    const rows = [`BNB Chain;BNB;;3.000,00;${day};PTAX`, `Ethereum;eth;;12.345,67;${day};PTAX`];
    expect(await outcomes(rows.join("\n"))).toEqual(["1 saved", "2 saved"]);
    expect(await outcomes(`Solana;BNB;;3.000,00;${day};PTAX`)).toEqual(["1 unknown-asset"]);
  });

  it("holds the audit record's lock no longer than one batch of rates", async () => {
    const csv = Array.from({ length: 120 }, (_, n) => `ETHEREUM;ETH;;5,4321;${civilDaysAgo(n + 1)};PTAX`).join("\n");
    const codes = await signedInBeside(db, () => outcomes(csv));
    expect(codes).toHaveLength(121);
    expect(codes.at(-1)).toBe("position.rate");
  });

  it("changes nothing when a file of rates is sent again", async () => {
    const csv = `ETHEREUM;ETH;;12345,67;${day};PTAX`;
    expect(await outcomes(csv)).toEqual(["1 saved"]);
    expect(await outcomes(csv)).toEqual(["1 same"]);
    expect(await db.$count(positionRate)).toBe(1);
  });

  it("reads a file's rates with the language's decimal separator", async () => {
    vi.mocked(getLocale).mockResolvedValue("en");
    expect(await outcomes(`ETHEREUM,ETH,,5.432,${day},PTAX\nETHEREUM,ETH,,"5,432",${day},PTAX`)).toEqual([
      "1 saved",
      "2 ambiguous-rate",
    ]);
  });
});
