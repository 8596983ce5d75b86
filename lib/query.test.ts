import { headers as requestHeaders } from "next/headers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Role } from "@/lib/permission/permission";
import { getSession } from "@/lib/auth/session";
import { sessionOf } from "@/test/support/auth";
import { AppError } from "@/lib/errors/app-error";
import { ERROR_KINDS, FAILURE_HEADER, readDigest } from "@/lib/errors/result";
import { log } from "@/lib/log/log";
import { StoreUnavailable } from "@/lib/db/error";
import english from "@/messages/en.json";
import { auditEvent } from "@/lib/db/tables/audit";
import { beginSweep, failSweep, readWatchState } from "@/lib/db/watch-state";
import { givenEnv, givenStore } from "@/test/support/console";
import { attachment, download, query, route } from "./query";

beforeEach(() => {
  vi.spyOn(log, "warn").mockImplementation(() => undefined);
});
afterEach(() => vi.mocked(getSession).mockReset());

const sessionAt = (tenant: string, ...roles: Role[]) =>
  sessionOf({ tenant, roles: roles.length > 0 ? roles : ["finance"] });
function signedInAs(...roles: Role[]): void {
  vi.mocked(getSession).mockResolvedValue(sessionAt("aurora", ...roles));
}
const nobodySignedIn = () => vi.mocked(getSession).mockResolvedValue(null);

const ask = (answer: (search: URLSearchParams) => Promise<unknown>) =>
  route(answer)(new Request("http://localhost:3000/api/wallets?page=2"), { params: Promise.resolve({}) });

describe("a route that the store does not answer", () => {
  it("answers 503 with when to retry while the store is silent", async () => {
    signedInAs("finance");
    const answer = await ask(() => Promise.reject(new StoreUnavailable("silent")));
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(answer.headers.get(FAILURE_HEADER)).toBe("bank:unavailable:store-silent");
    const message = english.readOutages["store-silent"];
    expect(await answer.json()).toEqual({ error: { kind: "unavailable", message } });
  });

  it("answers 503 even when the person cannot be read", async () => {
    vi.mocked(getSession).mockRejectedValue(new StoreUnavailable("ECONNREFUSED"));
    expect((await ask(async () => "thing")).status).toBe(503);
  });
});

describe("a read", () => {
  const read = vi.fn<(...given: unknown[]) => Promise<string>>();
  const getThing = query("wallets:read", (actor, id: string) => read(actor, id));
  beforeEach(() => read.mockReset().mockResolvedValue("thing"));

  it("passes the person to a read as an actor with the checked permission", async () => {
    signedInAs("finance");
    expect(await getThing("w-1")).toBe("thing");
    const [actor, id] = read.mock.calls[0] ?? [];
    expect(actor).toMatchObject({ id: "staff-1", tenant: "aurora", permission: "wallets:read" });
    expect(id).toBe("w-1");
  });

  it("leads an anonymous screen to sign-in, and says so to a route", async () => {
    givenEnv();
    nobodySignedIn();
    vi.mocked(requestHeaders).mockResolvedValue(new Headers({ "x-retaguarda-address": "/wallets/w-1" }));
    await expect(getThing("w-1")).rejects.toMatchObject({
      digest: expect.stringContaining("NEXT_REDIRECT;replace;/sign-in?next=%2Fwallets%2Fw-1;"),
    });
    await expect(getThing.answer("w-1")).rejects.toMatchObject({ kind: "unauthenticated" });
    expect(read).not.toHaveBeenCalled();
  });

  const refusedBy = (code: string) => {
    read.mockRejectedValueOnce(new AppError("restricted", { code, requestId: "req-1" }));
    return getThing("w-1").then(String, readDigest);
  };

  it("says since when the provider refuses a company, but not for a single product", async () => {
    givenEnv();
    const db = await givenStore();
    signedInAs("finance");
    expect(await refusedBy("ACCOUNT_SUSPENDED")).toMatchObject({ refusal: "ACCOUNT_SUSPENDED", since: null });
    for (const code of ["ACCOUNT_SUSPENDED", "PRODUCT_NOT_ENABLED"]) {
      const key = { tenant: "aurora", name: code };
      await beginSweep(db, key, 0);
      await db.transaction((tx) => failSweep(tx, key, { kind: "restricted", code }));
    }
    const { failure } = (await readWatchState(db, { tenant: "aurora", name: "ACCOUNT_SUSPENDED" }, 0)).fresh;
    expect(await refusedBy("ACCOUNT_SUSPENDED")).toMatchObject({ since: failure?.since, reference: "req-1" });
    expect(failure?.since).toMatch(/^20/);
    expect(await refusedBy("PRODUCT_NOT_ENABLED")).toMatchObject({ refusal: "PRODUCT_NOT_ENABLED", since: null });
    expect(await refusedBy("ACCOUNT_RESTRICTED")).toMatchObject({ refusal: "ACCOUNT_RESTRICTED", since: null });
  });

  it("forbids a read without a granting role, names the permission and audits it", async () => {
    givenEnv();
    const db = await givenStore();
    signedInAs("support", "compliance");
    for (const get of [getThing, getThing.answer]) {
      await expect(get("w-1")).rejects.toMatchObject({ kind: "forbidden", details: { code: "wallets:read" } });
    }
    expect(read).not.toHaveBeenCalled();
    const refused = { tenant: "aurora", actor: "staff-1", code: "wallets.read", outcome: "REFUSED" };
    expect(await db.select().from(auditEvent)).toMatchObject([refused]);
  });
});

async function* twoParts() {
  yield "a;b\r\n";
  yield "ç;d\r\n";
}

async function* failing() {
  yield "a;b\r\n";
  throw new Error("the store is gone");
}

describe("a file that a link leads to", () => {
  const scope = "staff-1:aurora";
  const take = (parts: () => AsyncGenerator<string>, at = scope) =>
    download(async () => ({ fileName: "list.csv", contentType: "text/csv", parts: parts() }))(
      new Request(`http://localhost:3000/api/exports/list?scope=${at}`),
      { params: Promise.resolve({}) },
    );
  beforeEach(() => signedInAs("finance"));

  it("streams a file under its name and never caches it", async () => {
    const response = await take(twoParts);
    const { headers } = response;
    expect(headers.get("content-disposition")).toBe("attachment; filename=list.csv");
    expect([headers.get("content-type"), headers.get("cache-control")]).toEqual(["text/csv", "no-store"]);
    expect(await response.text()).toBe("a;b\r\nç;d\r\n");
  });

  it("takes turns with the same person's other files", async () => {
    let making = 0;
    let most = 0;
    async function* counted() {
      making += 1;
      most = Math.max(most, making);
      await Promise.resolve();
      making -= 1;
      yield "a;b\r\n";
    }
    const files = await Promise.all(Array.from({ length: 10 }, () => take(counted)));
    expect(await Promise.all(files.map((file) => file.text()))).toEqual(files.map(() => "a;b\r\n"));
    expect(most).toBe(1);
  });

  it("keeps a file's whole name if a header can hold it, else adds a plain one", () => {
    expect(attachment("contrato social.pdf")).toBe('attachment; filename="contrato social.pdf"');
    expect(attachment('ação "1"\r\nx: y.pdf')).toBe(
      `attachment; filename="a__o _1___x_ y.pdf"; filename*=UTF-8''a%C3%A7%C3%A3o%20%221%22%0D%0Ax%3A%20y.pdf`,
    );
    expect(attachment("d'água (2)*.png")).toMatch(/filename\*=UTF-8''d%27%C3%A1gua%20%282%29%2A\.png$/);
  });

  it.each(["", "staff-1:boreal", "staff-2:aurora"])(
    "refuses a file to a page of another session scope: %j",
    async (at) => {
      expect((await take(twoParts, at)).status).toBe(409);
    },
  );

  it("breaks a failing file off, so that it never looks whole", async () => {
    await expect((await take(failing)).text()).rejects.toThrow("the store is gone");
  });
});

const reportedFailure = async (code: string) =>
  (await ask(() => Promise.reject(new AppError("restricted", { code })))).headers.get(FAILURE_HEADER);

describe("a route that answers a read", () => {
  beforeEach(() => signedInAs("finance"));

  it("returns a read's result, uncached", async () => {
    const response = await ask(async (search) => ({ page: search.get("page") }));
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(await response.json()).toEqual({ page: "2" });
  });

  const STATUSES = [401, 403, 404, 409, 400, 429, 503, 402, 202, 403, 502];

  it.each(ERROR_KINDS.map((kind, index) => [kind, STATUSES[index]] as const))(
    "answers a read's %s with %i",
    async (kind, status) => {
      const details = {
        providerMessage: "for the desk only",
        code: "X",
        requestId: "req-1",
        cause: new Error("inside"),
      };
      const response = await ask(() => Promise.reject(new AppError(kind, details)));
      expect([response.status, response.headers.get("cache-control")]).toEqual([status, "no-store"]);
      expect(await response.json()).toEqual({ error: { kind } });
    },
  );

  it("names a read's failure like an error screen", async () => {
    expect(await reportedFailure("ACCOUNT_SUSPENDED")).toBe("bank:restricted/ACCOUNT_SUSPENDED:ACCOUNT_SUSPENDED");
    expect(await reportedFailure("circuit-open")).toBe("bank:restricted:circuit-open");
    expect(await reportedFailure("\u202Ewhatever")).toBeNull();
  });

  describe("for a page that says whose it is", () => {
    const getTenant = query("wallets:read", async ({ tenant }) => tenant);
    const askFrom = (scope: string) =>
      route(() => getTenant.answer())(
        new Request("http://localhost:3000/api/wallets", { headers: { "x-retaguarda-scope": scope } }),
        { params: Promise.resolve({}) },
      );

    it("answers a page of this session scope", async () => {
      expect(await (await askFrom("staff-1:aurora")).json()).toBe("aurora");
    });

    it.each(["staff-1:boreal", "staff-2:aurora", ""])(
      "answers 409 to a page of another session scope: %j",
      async (scope) => {
        const response = await askFrom(scope);
        expect([response.status, await response.json()]).toEqual([409, { error: { kind: "conflict" } }]);
      },
    );

    it("reads for the checked session, though the browser moves on meanwhile", async () => {
      const session = sessionAt("aurora");
      const moved = sessionAt("boreal");
      vi.mocked(getSession).mockResolvedValueOnce(session).mockResolvedValue(moved);
      expect(await (await askFrom("staff-1:aurora")).json()).toBe("aurora");
    });
  });

  it("answers 401 when nobody is signed in, whatever the route", async () => {
    nobodySignedIn();
    expect((await ask(async () => "thing")).status).toBe(401);
  });

  it("rethrows bugs and Next's own control flow", async () => {
    await expect(ask(() => Promise.reject(new TypeError("bug")))).rejects.toThrow("bug");
  });
});
