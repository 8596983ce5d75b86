import { beforeEach, describe, expect, it, vi } from "vitest";
import { serverAnswers } from "./server-answers";

const fetched = vi.fn<typeof fetch>();

beforeEach(() => {
  fetched.mockReset();
  vi.stubGlobal("fetch", fetched);
  vi.stubGlobal("navigator", { onLine: true });
});

describe("the console's server", () => {
  it("is there when it says who works where, and when it says that nobody does", async () => {
    fetched.mockResolvedValueOnce(Response.json({ id: "ana:aurora" }));
    expect(await serverAnswers()).toBe(true);
    fetched.mockResolvedValueOnce(Response.json({ error: { kind: "unauthenticated" } }, { status: 401 }));
    expect(await serverAnswers()).toBe(true);
  });

  it("is not there when a gateway fails, or something else answers in its place", async () => {
    fetched.mockResolvedValueOnce(new Response("bad gateway", { status: 502 }));
    expect(await serverAnswers()).toBe(false);
    fetched.mockResolvedValueOnce(new Response("<p>Welcome, guest</p>", { headers: { "content-type": "text/html" } }));
    expect(await serverAnswers()).toBe(false);
  });

  it("is not there when no connection comes about", async () => {
    fetched.mockRejectedValueOnce(new TypeError("Failed to fetch"));
    expect(await serverAnswers()).toBe(false);
  });

  it("is not asked by a browser that knows it has no network", async () => {
    vi.stubGlobal("navigator", { onLine: false });
    expect(await serverAnswers()).toBe(false);
    expect(fetched).not.toHaveBeenCalled();
  });
});
