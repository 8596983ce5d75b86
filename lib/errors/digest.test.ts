import { describe, expect, it } from "vitest";
import { AppError } from "./app-error";
import { readOrDigest } from "./attempt";
import { readDigest, REFUSALS } from "./result";

const errorWith = (digest: string) => Object.assign(new Error("hidden"), { digest });

describe("what an error screen knows", () => {
  it("gives the kind of a failure and the provider's reference", () => {
    expect(readDigest(errorWith("bank:unavailable:req_42"))).toEqual({
      kind: "unavailable",
      refusal: null,
      since: null,
      reference: "req_42",
    });
  });

  it.each(REFUSALS)("gives the gateway's refusal %s and the provider's reference", (code) => {
    const { digest } = new AppError("restricted", { code, requestId: "req_42" });
    expect(readDigest(errorWith(digest))).toEqual({
      kind: "restricted",
      refusal: code,
      since: null,
      reference: "req_42",
    });
  });

  it("says since when the gateway has refused, if known", () => {
    const since = "2026-11-22T14:03:00.123Z";
    const { digest } = new AppError("restricted", { code: "ACCOUNT_SUSPENDED", requestId: "req:42", since });
    expect(readDigest(errorWith(digest))).toMatchObject({ refusal: "ACCOUNT_SUSPENDED", since, reference: "req:42" });
  });

  it("gives no reference when the provider gave none", () => {
    expect(readDigest(errorWith("bank:rate-limited:-"))).toEqual({
      kind: "rate-limited",
      refusal: null,
      since: null,
      reference: null,
    });
  });

  it("reports Next's own digest or an unknown kind as our bug", () => {
    expect(readDigest(errorWith("2937465"))).toEqual({
      kind: "unexpected",
      refusal: null,
      since: null,
      reference: "2937465",
    });
    expect(readDigest(errorWith("bank:mystery:x"))).toEqual({
      kind: "unexpected",
      refusal: null,
      since: null,
      reference: "bank:mystery:x",
    });
  });

  it("gives nothing for a thrown value that is no error", () => {
    expect(readDigest("boom")).toEqual({ kind: "unexpected", refusal: null, since: null, reference: null });
  });
});

describe("a read of a part of a screen", () => {
  it("returns a provider's failure as a value", async () => {
    const read = readOrDigest(Promise.reject(new AppError("unavailable", { requestId: "req_42" })));
    await expect(read).resolves.toMatchObject({
      ok: false,
      digest: "bank:unavailable:req_42",
      failure: { kind: "unavailable" },
    });
  });

  it.each([
    ["invalid", "Conta de 529.982.247-25 bloqueada", "Conta de ***.982.247-** bloqueada"],
    ["conflict", "  ", null],
    ["unavailable", "Bad Gateway", null],
  ] as const)("keeps, for a refusal %s with “%s”, the provider's words as %s", async (kind, providerMessage, said) => {
    const read = readOrDigest(Promise.reject(new AppError(kind, { status: 422, providerMessage })));
    await expect(read).resolves.toMatchObject({ said, failure: { kind } });
  });

  it("rethrows our own bugs and redirects", async () => {
    for (const error of [new TypeError("no such field"), errorWith("NEXT_REDIRECT;replace;/sign-in;307;")])
      await expect(readOrDigest(Promise.reject(error))).rejects.toBe(error);
  });
});
