import { describe, expect, it } from "vitest";
import { NETWORKS } from "@/lib/contract/crypto";
import { movementDirection, explorerLink, useOf } from "./view";

describe("the link to an explorer", () => {
  it("links to the transaction on each network", () => {
    const hash = "a".repeat(64);
    for (const network of NETWORKS) {
      const link = explorerLink(network, hash);
      expect(link?.href).toMatch(new RegExp(`^https://${link?.host}/.*${hash}$`));
    }
  });

  it("shows no link for an invalid hash", () => {
    expect(explorerLink("ETHEREUM", "../../evil?x=1")).toBeNull();
    expect(explorerLink("ETHEREUM", "")).toBeNull();
  });
});

describe("the use of a wallet", () => {
  it("takes a wallet's use from finance, else from the provider", () => {
    expect(useOf({ use: "own", isForwardPayment: true, userId: null })).toBe("own");
    expect(useOf({ use: "own", isForwardPayment: false, userId: "u" })).toBe("customer");
    expect(useOf({ use: "other", isForwardPayment: false, userId: "u" })).toBe("other");
    expect(useOf({ use: null, isForwardPayment: true, userId: "u" })).toBe("checkout");
    expect(useOf({ use: null, isForwardPayment: false, userId: "u" })).toBe("customer");
    expect(useOf({ use: null, isForwardPayment: null, userId: null })).toBeNull();
  });
});

describe("the direction of a movement", () => {
  it("calls the direction unknown for an undocumented word", () => {
    expect([movementDirection("incoming"), movementDirection("OUTGOING"), movementDirection("swap")]).toEqual([
      "in",
      "out",
      null,
    ]);
  });
});
