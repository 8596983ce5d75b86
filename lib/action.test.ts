import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { PasswordsBusy } from "@/lib/auth/password";
import type { Role } from "@/lib/permission/permission";
import { getSession } from "@/lib/auth/session";
import { sessionOf } from "@/test/support/auth";
import { SCOPE_HEADER } from "@/lib/auth/view";
import { AppError } from "@/lib/errors/app-error";
import { log } from "@/lib/log/log";
import { StoreUnavailable } from "@/lib/db/error";
import { noteSent } from "@/lib/log/work";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStore } from "@/test/support/console";
import english from "@/messages/en.json";
import {
  action,
  stepUpAction,
  ownStepUpAction,
  isOwnOrigin,
  ownAction,
  publicAction,
  question,
  upload,
} from "./action";

const Input = z.object({ reason: z.string().min(1) });
const write = vi.fn<(...given: unknown[]) => Promise<string>>();
const decideFrom = action("kyc:decide", Input, (actor, input) => write(actor, input));
const decide = (input: z.input<typeof Input>) => decideFrom(input, "staff-1:aurora");

let db: Db;
beforeEach(async () => {
  vi.spyOn(log, "warn").mockImplementation(() => undefined);
  givenEnv();
  db = await givenStore();
  write.mockReset().mockResolvedValue("done");
  cameFrom("http://localhost:3000");
  signedInAs("compliance");
});

function signedInAs(...roles: Role[]): void {
  vi.mocked(getSession).mockResolvedValue(sessionOf({ roles }));
}

function approverProven(isProven: boolean): void {
  vi.mocked(getSession).mockResolvedValue(sessionOf({ roles: ["approver"], isProven }));
}

function cameFrom(origin: string | null): void {
  const sent = new Headers({ host: "evil.example", "x-forwarded-host": "evil.example" });
  if (origin !== null) sent.set("origin", origin);
  vi.mocked(headers).mockResolvedValue(sent);
}

describe("a write", () => {
  it("runs a write for a person with the permission, from our own page", async () => {
    expect(await decide({ reason: "ok" })).toEqual({ ok: true, data: "done" });
    expect(write.mock.calls).toMatchObject([
      [{ id: "staff-1", tenant: "aurora", permission: "kyc:decide" }, { reason: "ok" }],
    ]);
  });

  it("reports rate-limited when too many passwords are being checked", async () => {
    write.mockRejectedValue(new PasswordsBusy());
    const message = english.failures["passwords-busy"];
    expect(await decide({ reason: "ok" })).toMatchObject({ ok: false, error: { kind: "rate-limited", message } });
  });

  it("says that nothing was sent when the store is down before sending", async () => {
    write.mockRejectedValue(new StoreUnavailable("silent"));
    const message = english.outages["store-silent"];
    expect(await decide({ reason: "ok" })).toEqual({ ok: false, error: { kind: "unavailable", message } });
  });

  it("does not say that nothing was sent when the store fails after sending", async () => {
    write.mockImplementation(async () => {
      noteSent();
      throw new StoreUnavailable("silent");
    });
    const message = english.outages["store-lost"];
    expect(await decide({ reason: "ok" })).toMatchObject({ ok: false, error: { kind: "unavailable", message } });
    write.mockRejectedValue(new StoreUnavailable("silent"));
    expect(await decide({ reason: "ok" })).toMatchObject({ error: { message: english.outages["store-silent"] } });
  });

  it("refuses an anonymous write before reading its input", async () => {
    vi.mocked(getSession).mockResolvedValue(null);
    expect(await decide({ reason: "" })).toMatchObject({ ok: false, error: { kind: "unauthenticated" } });
    expect(write).not.toHaveBeenCalled();
  });

  it.each([null, "null", "https://evil.example", "http://evil.example"])("refuses a write from %s", async (origin) => {
    cameFrom(origin);
    const message = english.failures["foreign-origin"];
    expect(await decide({ reason: "ok" })).toEqual({ ok: false, error: { kind: "forbidden", message } });
    expect(write).not.toHaveBeenCalled();
  });

  it("refuses a write without a permitted role, names the roles and audits it", async () => {
    signedInAs("support", "auditor");
    const refused = await decide({ reason: "" });
    expect(refused).toMatchObject({
      ok: false,
      error: { kind: "forbidden", message: expect.stringContaining("Compliance") },
    });
    expect(write).not.toHaveBeenCalled();
    expect(await db.select().from(auditEvent)).toMatchObject([
      { tenant: "aurora", actor: "staff-1", code: "kyc.decide", outcome: "REFUSED", detail: { needs: "compliance" } },
    ]);
  });

  it("names a write's wrong field in the reader's language", async () => {
    expect(await decide({ reason: "" })).toEqual({
      ok: false,
      error: { kind: "invalid", message: english.errors.invalid, fields: { reason: english.fields.required } },
    });
    expect(write).not.toHaveBeenCalled();
  });

  it("passes a write only its declared fields", async () => {
    await decide(Object.assign({ reason: "ok" }, { tenant: "boreal", staffId: "staff-2", roles: ["admin"] }));
    expect(write.mock.calls).toEqual([
      [expect.objectContaining({ tenant: "aurora", id: "staff-1" }), { reason: "ok" }],
    ]);
  });

  it("returns a provider's refusal instead of throwing", async () => {
    write.mockRejectedValue(new AppError("conflict", { code: "case-changed", cause: new Error("inside") }));
    const message = english.failures["case-changed"];
    expect(await decide({ reason: "ok" })).toEqual({ ok: false, error: { kind: "conflict", message } });
  });

  it("rethrows Next's redirects and our own bugs", async () => {
    write.mockImplementation(() => redirect("/kyc"));
    await expect(decide({ reason: "ok" })).rejects.toMatchObject({ digest: expect.stringContaining("NEXT_REDIRECT") });
    write.mockRejectedValue(new TypeError("bug"));
    await expect(decide({ reason: "ok" })).rejects.toThrow("bug");
  });
});

describe("a write that asks for a fresh proof", () => {
  const authorizeFrom = stepUpAction("approvals:authorize", Input, (actor, input) => write(actor, input));
  const change = ownStepUpAction("password.change", Input, (session, input) => write(session, input));
  const asksForProof = {
    ok: false,
    error: { kind: "forbidden", code: "step-up", message: english.failures["step-up"] },
  };

  it("asks for a new proof when the last one is old, and does nothing until then", async () => {
    approverProven(false);
    expect(await authorizeFrom({ reason: "ok" }, "staff-1:aurora")).toEqual(asksForProof);
    expect(await change({ reason: "ok" }, "staff-1:aurora")).toEqual(asksForProof);
    expect(write).not.toHaveBeenCalled();
    approverProven(true);
    expect(await authorizeFrom({ reason: "ok" }, "staff-1:aurora")).toEqual({ ok: true, data: "done" });
    expect(await change({ reason: "ok" }, "staff-1:aurora")).toEqual({ ok: true, data: "done" });
  });

  it("asks for no proof when the role or the input is wrong", async () => {
    approverProven(false);
    expect(await authorizeFrom({ reason: "" }, "staff-1:aurora")).toMatchObject({ error: { kind: "invalid" } });
    vi.mocked(getSession).mockResolvedValue(sessionOf({ roles: ["finance"], isProven: false }));
    const refused = await authorizeFrom({ reason: "ok" }, "staff-1:aurora");
    expect(refused).toMatchObject({ error: { kind: "forbidden", message: expect.stringContaining("Approver") } });
    expect(refused).not.toHaveProperty("error.code");
  });
});

describe("a page of another session scope", () => {
  const move = ownAction("session:switch", Input, (session, input) => write(session, input));
  const refusals = {
    tenant: { ok: false, error: { kind: "conflict", message: english.failures["tenant-changed"] } },
    person: { ok: false, error: { kind: "conflict", message: english.failures["person-changed"] } },
  };

  it("refuses a write at the tenant that the browser has moved to", async () => {
    expect(await decideFrom({ reason: "ok" }, "staff-1:boreal")).toEqual(refusals.tenant);
    expect(write).not.toHaveBeenCalled();
    expect(await db.select().from(auditEvent)).toEqual([]);
  });

  it.each(["staff-2:aurora", "staff-11:aurora", "", ":aurora", "staff-1"])(
    "refuses a write in somebody else's name: %j",
    async (fixture) => {
      expect(await decideFrom({ reason: "ok" }, fixture)).toEqual(refusals.person);
      expect(write).not.toHaveBeenCalled();
    },
  );

  it("refuses another scope's page before checking its input", async () => {
    signedInAs("support");
    expect(await decideFrom({ reason: "" }, "staff-1:boreal")).toEqual(refusals.tenant);
  });

  it("lets a page of any tenant switch its own person's session", async () => {
    expect(await move({ reason: "boreal" }, "staff-1:cobalto")).toEqual({ ok: true, data: "done" });
    expect(write.mock.calls).toMatchObject([[{ staffId: "staff-1" }, { reason: "boreal" }]]);
  });

  it("refuses to switch another person's session", async () => {
    expect(await move({ reason: "boreal" }, "staff-2:aurora")).toEqual(refusals.person);
    cameFrom("https://evil.example");
    expect(await move({ reason: "boreal" }, "staff-1:aurora")).toMatchObject({ error: { kind: "forbidden" } });
    expect(write).not.toHaveBeenCalled();
  });
});

describe("a write that needs nobody signed in", () => {
  const accept = publicAction("invitation:accept", Input, (session, input) => write(session, input));

  it("runs a public write from our own page and knows who is signed in", async () => {
    vi.mocked(getSession).mockResolvedValue(null);
    expect(await accept({ reason: "ok" }, "")).toEqual({ ok: true, data: "done" });
    signedInAs("support");
    await accept({ reason: "ok" }, "");
    expect(write.mock.calls).toMatchObject([
      [null, { reason: "ok" }],
      [{ staffId: "staff-1" }, { reason: "ok" }],
    ]);
  });

  it("refuses a public write from any other page", async () => {
    vi.mocked(getSession).mockResolvedValue(null);
    cameFrom("https://evil.example");
    expect(await accept({ reason: "ok" }, "")).toMatchObject({ ok: false, error: { kind: "forbidden" } });
    expect(write).not.toHaveBeenCalled();
  });
});

describe("our own origin", () => {
  const fixture = new URL("https://desk.example");
  const local = new URL("http://localhost:3000");

  it.each([
    ["https://desk.example", fixture],
    ["http://localhost:3000", local],
    ["http://127.0.0.1:3000", local],
    ["http://[::1]:3000", local],
  ])("counts %s as our own origin at %s", (origin, publicUrl) => expect(isOwnOrigin(origin, publicUrl)).toBe(true));

  it.each([
    ["http://desk.example", fixture],
    ["https://desk.example:8443", fixture],
    ["https://desk.example.evil.test", fixture],
    ["https://evil.test/https://desk.example", fixture],
    ["https://localhost", fixture],
    ["http://localhost:4000", local],
    ["http://localhost.evil.test:3000", local],
    ["null", fixture],
    ["", fixture],
    [null, fixture],
  ])("counts %s as foreign at %s", (origin, publicUrl) => expect(isOwnOrigin(origin, publicUrl)).toBe(false));
});

describe("a question that is posted", () => {
  const ask = question("kyc:decide", Input, async ({ id }, { reason }) => `${id} ${reason}`);
  const post = async (body: string, scope = "staff-1:aurora") => {
    const sent = { method: "POST", headers: { [SCOPE_HEADER]: scope }, body };
    const answer = await ask(new Request("http://localhost:3000/", sent));
    return [answer.status, answer.headers.get("cache-control"), await answer.json()];
  };

  it("answers a posted question from our own page to permitted people", async () => {
    expect(await post('{"reason":"ok"}')).toEqual([200, "no-store", { ok: true, data: "staff-1 ok" }]);
  });

  it.each(["", "{", '{"reason":""}'])("refuses the posted question %j", async (body) => {
    expect(await post(body)).toMatchObject([400, "no-store", { ok: false, error: { kind: "invalid" } }]);
  });

  it("refuses posted questions from elsewhere or without the permission", async () => {
    expect(await post('{"reason":"ok"}', "staff-1:boreal")).toMatchObject([409, "no-store", { ok: false }]);
    cameFrom("https://evil.example");
    expect(await post('{"reason":"ok"}')).toMatchObject([403, "no-store", { error: { kind: "forbidden" } }]);
    cameFrom("http://localhost:3000");
    signedInAs("support");
    expect(await post('{"reason":"ok"}')).toMatchObject([403, "no-store", { error: { kind: "forbidden" } }]);
    vi.mocked(getSession).mockResolvedValue(null);
    expect(await post('{"reason":"ok"}')).toMatchObject([401, "no-store", { error: { kind: "unauthenticated" } }]);
  });
});

describe("an upload", () => {
  const received: string[] = [];
  let open: (() => void)[] = [];
  const put = upload("kyc:note", 1_000, async (actor, { bytes }) => {
    received.push(`${actor.id} ${bytes.length}`);
    await new Promise<void>((resolve) => open.push(resolve));
    return null;
  });
  const send = (staffId: string) => {
    vi.mocked(getSession).mockResolvedValue(sessionOf({ roles: ["compliance"], staffId }));
    const sent = { [SCOPE_HEADER]: `${staffId}:aurora`, "content-length": "3" };
    const request = new Request("http://localhost:3000/", { method: "POST", headers: sent, body: "abc" });
    return put(request, { params: Promise.resolve({}) });
  };
  const arrives = (count: number) => expect.poll(() => received.length).toBe(count);
  beforeEach(() => {
    received.length = 0;
    open = [];
  });
  const finish = () => open.splice(0).forEach((resolve) => resolve());

  it("queues a person's second upload, and runs three at once", async () => {
    const first = send("staff-1");
    await arrives(1);
    const again = await send("staff-1");
    expect([again.status, again.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await again.json()).toMatchObject({ error: { message: english.failures["uploads-busy"] } });
    const second = send("staff-2");
    await arrives(2);
    const third = send("staff-3");
    await arrives(3);
    expect((await send("staff-4")).status).toBe(503);
    finish();
    expect((await Promise.all([first, second, third])).map(({ status }) => status)).toEqual([200, 200, 200]);
    const next = send("staff-4");
    await arrives(4);
    finish();
    expect((await next).status).toBe(200);
  });
});
