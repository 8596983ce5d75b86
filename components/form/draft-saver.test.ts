import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Draft, DraftAnswer, DraftOrder } from "@/lib/drafts/view";
import type { ActionResult, ErrorKind } from "@/lib/errors/result";
import { DraftSaver, draftKey, WrittenDrafts } from "./draft-saver";

const EMPTY: Draft = { draftId: "first", version: 0, fields: null, savedAt: null };
const AT = "2026-03-02T14:03:22.000Z";

let server: Draft;
let orders: DraftOrder[];
let trouble: ErrorKind | null;
beforeEach(() => {
  vi.useFakeTimers();
  server = EMPTY;
  orders = [];
  trouble = null;
});
afterEach(() => void vi.useRealTimers());

const failed = (kind: ErrorKind) => ({ ok: false, error: { kind, message: "" } }) as const;

/** The server as a tab sees it. */
async function send(order: DraftOrder): Promise<ActionResult<DraftAnswer>> {
  orders.push(order);
  if (trouble !== null) return failed(trouble);
  if (order.do === "discard") server = { draftId: `${server.draftId}'`, version: 0, fields: null, savedAt: null };
  if (order.do !== "save") return { ok: true, data: { draft: server, isOther: false } };
  if (order.draftId !== server.draftId) return failed("not-found");
  if (order.version !== server.version) return { ok: true, data: { draft: server, isOther: true } };
  server = { ...server, version: server.version + 1, fields: order.fields, savedAt: AT };
  return { ok: true, data: { draft: { ...server, fields: null }, isOther: false } };
}

function after(ms: number, run: () => void) {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

const opened = (draftId: string): Draft => ({ ...EMPTY, draftId });
const openTab = (its = server) => new DraftSaver(its, { send, after });
const saves = () => orders.filter((order) => order.do === "save").length;
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe("what is typed into a long form", () => {
  it("saves a draft once, a moment after the last key, and says so", async () => {
    const tab = openTab();
    for (const name of ["M", "Ma", "Mar"]) {
      tab.set({ name });
      await pass(300);
    }
    expect([tab.now().state, saves()]).toEqual(["unsaved", 0]);
    await pass(1_200);
    expect(tab.now()).toMatchObject({ state: "saved", savedAt: AT, values: { name: "Mar" } });
    expect([saves(), server.fields]).toEqual([1, { name: "Mar" }]);
  });

  it("says that the person has too many drafts, and saves once there is room", async () => {
    const tab = openTab();
    trouble = "conflict";
    tab.set({ name: "Maria" });
    await pass(1_200);
    expect(tab.now()).toMatchObject({ state: "full", values: { name: "Maria" } });
    trouble = null;
    await pass(5_000);
    expect(tab.now().state).toBe("saved");
  });

  it("never saves text typed into a secret field", async () => {
    const tab = openTab();
    tab.set({ email: "a@b.example", transactionPassword: "1234" });
    await pass(1_200);
    expect(server.fields).toEqual({ email: "a@b.example" });
    expect(tab.now().values).toEqual({ email: "a@b.example", transactionPassword: "1234" });
  });

  it("keeps text that could not be saved and saves it later", async () => {
    const tab = openTab();
    trouble = "unavailable";
    tab.set({ name: "Maria" });
    await pass(1_200);
    expect(tab.now()).toMatchObject({ state: "failed", values: { name: "Maria" } });
    trouble = null;
    await pass(5_000);
    expect([tab.now().state, server.fields]).toEqual(["saved", { name: "Maria" }]);
  });

  it("saves text typed during a save afterwards", async () => {
    const tab = openTab();
    tab.set({ name: "Maria" });
    tab.flush();
    tab.set({ name: "Marta" });
    await pass(1_200);
    await pass(1_200);
    expect([tab.now().state, server.fields]).toEqual(["saved", { name: "Marta" }]);
  });

  it("keeps a second tab from overwriting it and offers the saved version", async () => {
    const first = openTab();
    const second = openTab();
    first.set({ name: "Maria" });
    await pass(1_200);
    second.set({ name: "Marta" });
    await pass(1_200);
    expect(second.now()).toMatchObject({ state: "other", values: { name: "Marta" } });
    expect(server.fields).toEqual({ name: "Maria" });
    second.takeOther();
    expect(second.now()).toMatchObject({ state: "saved", values: { name: "Maria" } });
  });

  it("resolves a conflict of two tabs by the later choice", async () => {
    const first = openTab();
    const second = openTab();
    first.set({ name: "Maria" });
    await pass(1_200);
    second.set({ name: "Marta" });
    await pass(1_200);
    second.set({ name: "Marta Lima" });
    second.saveOwn();
    await pass(0);
    expect([second.now().state, server.fields]).toEqual(["saved", { name: "Marta Lima" }]);
  });

  it("stops saving after another tab sent the draft, unless the person asks", async () => {
    const tab = openTab();
    server = { ...EMPTY, draftId: "second" };
    tab.set({ name: "Marta" });
    await pass(1_200);
    expect(tab.now()).toMatchObject({ state: "gone", draftId: "first", values: { name: "Marta" } });
    tab.saveOwn();
    await pass(0);
    expect(tab.now()).toMatchObject({ state: "saved", draftId: "second", values: { name: "Marta" } });
  });

  it("discards a draft and gives the next submission a new id", async () => {
    const tab = openTab({ ...EMPTY, fields: { name: "Maria" }, savedAt: AT });
    expect(await tab.discard()).toBe(true);
    expect(tab.now()).toEqual({ draftId: "first'", values: {}, state: "empty", savedAt: null });
  });

  it("saves no draft when a field was only tabbed through", async () => {
    const tab = openTab();
    tab.set({ name: "" });
    await pass(1_200);
    expect([tab.now().state, orders]).toEqual(["empty", []]);
  });

  it("stops saving a draft after submission", async () => {
    const tab = openTab();
    tab.set({ name: "Maria" });
    tab.end();
    await pass(60_000);
    expect(orders).toEqual([]);
  });
});

describe("the browser's way back to a form", () => {
  it("restores the last text of a form, not the page's first version", async () => {
    const tab = openTab();
    const came = server;
    tab.set({ amount: "44,00" });
    await pass(1_200);
    tab.set({ amount: "55,00", password: "1234" });
    tab.leave();
    await pass(0);
    expect(server.fields).toEqual({ amount: "55,00" });
    expect(tab.now().values).toEqual({ amount: "55,00" });
    expect(tab.knows(came)).toBe(true);
  });

  it("restores the page after another tab saved or sent the draft", async () => {
    const tab = openTab();
    const other = openTab();
    other.set({ amount: "66,00" });
    await pass(1_200);
    expect([tab.knows(server), other.knows(server)]).toEqual([false, true]);
    other.end();
    expect(other.knows(server)).toBe(false);
  });
});

const formOf = async (drafts: WrittenDrafts, draftId: string) => {
  const tab = openTab(opened(draftId));
  drafts.keep(draftKey("ana", opened(draftId)), tab);
  server = opened(draftId);
  tab.set({ name: draftId });
  return tab;
};

describe("what was written in this window", () => {
  it("finds text only for its author, tenant and draft", async () => {
    const drafts = new WrittenDrafts();
    const tab = await formOf(drafts, "first");
    expect(drafts.find(draftKey("ana", opened("first")), opened("first"))).toBe(tab);
    expect(drafts.find(draftKey("bia", opened("first")), opened("first"))).toBeNull();
    expect(drafts.find(draftKey("ana", opened("second")), opened("second"))).toBeNull();
    expect(drafts.find(draftKey("ana", opened("first")), { ...opened("first"), version: 7 })).toBeNull();
  });

  it("forgets a draft after submission or after many newer ones", async () => {
    const drafts = new WrittenDrafts();
    const unsaved = await formOf(drafts, "unsaved");
    trouble = "unavailable";
    await pass(1_200);
    trouble = null;
    for (let count = 0; count < 20; count += 1) {
      const tab = await formOf(drafts, `${count}`);
      tab.flush();
      await pass(0);
    }
    const isKept = (id: string) => drafts.find(draftKey("ana", opened(id)), opened(id)) !== null;
    expect(isKept("unsaved")).toBe(true);
    expect(unsaved.now().values).toEqual({ name: "unsaved" });
    expect(["0", "12", "13", "19"].map(isKept)).toEqual([false, false, true, true]);
    drafts.drop(draftKey("ana", opened("19")));
    expect(isKept("19")).toBe(false);
  });
});
