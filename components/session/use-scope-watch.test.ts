import { beforeEach, describe, expect, it, vi } from "vitest";
import { readScopeNow } from "./use-scope-watch";

const fetched = vi.fn<typeof fetch>();

beforeEach(() => {
  fetched.mockReset();
  vi.stubGlobal("fetch", fetched);
});

describe("where a browser works", () => {
  it("returns the server's scope and how long the session lasts", async () => {
    const scope = { id: "ana:aurora", endsInMs: 60_000 };
    fetched.mockResolvedValueOnce(Response.json(scope));
    expect(await readScopeNow()).toEqual({ kind: "scope", scope, endsInMs: 60_000 });
  });

  it("reports the reason once the session has ended", async () => {
    const refusal = { error: { kind: "unauthenticated", reason: "roles-changed" } };
    fetched.mockResolvedValueOnce(Response.json(refusal, { status: 401 }));
    expect(await readScopeNow()).toEqual({ kind: "signed-out", reason: "roles-changed" });
  });

  it("calls the scope unknown when a gateway fails or another server answers", async () => {
    fetched.mockResolvedValueOnce(new Response("bad gateway", { status: 502 }));
    expect(await readScopeNow()).toEqual({ kind: "unknown" });
    fetched.mockResolvedValueOnce(new Response("<p>Welcome, guest</p>", { headers: { "content-type": "text/html" } }));
    expect(await readScopeNow()).toEqual({ kind: "unknown" });
    fetched.mockResolvedValueOnce(Response.json({ error: { kind: "unavailable" } }, { status: 503 }));
    expect(await readScopeNow()).toEqual({ kind: "unknown" });
  });

  it("calls the scope unknown without a connection or a timely answer", async () => {
    fetched.mockRejectedValueOnce(new TypeError("Failed to fetch"));
    expect(await readScopeNow()).toEqual({ kind: "unknown" });
    fetched.mockImplementationOnce(async (_address, { signal } = {}) => {
      await new Promise((resolve) => signal?.addEventListener("abort", resolve));
      throw signal?.reason;
    });
    const inTime = new AbortController();
    const read = readScopeNow(inTime.signal);
    inTime.abort();
    expect(await read).toEqual({ kind: "unknown" });
  });
});
