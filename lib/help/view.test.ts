import { describe, expect, it } from "vitest";
import { PAGES } from "@/lib/permission/access";
import { can, PERMISSIONS, ROLES } from "@/lib/permission/permission";
import { HELP_ENTRIES, helpFor, screenOf, sectionsFor } from "./view";

/** Whether each role that has the page's task may open its screen. */
function refusedAt({ section, also = [], path = "/" }: { section: string; also?: readonly string[]; path?: string }) {
  const need = PERMISSIONS.find((permission) => permission === PAGES[path]);
  const roles = ROLES.filter((role) => role === section || also.includes(role));
  return need === undefined ? [] : roles.filter((role) => !can([role], need));
}

describe("the handbook's pages", () => {
  it("are about screens that exist and that their roles may open", () => {
    for (const entry of HELP_ENTRIES) {
      const path = "path" in entry ? entry.path : "/";
      expect([entry.name, path in PAGES, screenOf(path) in PAGES, refusedAt(entry)]).toEqual([
        entry.name,
        true,
        true,
        [],
      ]);
    }
  });

  it("tell of each role's tasks", () => {
    const sections = HELP_ENTRIES.map(({ section }) => section);
    expect(ROLES.filter((role) => !sections.some((section) => section === role))).toEqual([]);
  });

  it("are all listed once, those of one's own roles first", () => {
    for (const roles of [["finance"], ["approver", "admin"], ROLES] as const) {
      const listed = sectionsFor(roles);
      const names = listed.flatMap((one) => one.names);
      expect(names.toSorted()).toEqual(HELP_ENTRIES.map(({ name }) => name).toSorted());
      expect(listed.slice(0, roles.length).every(({ section }) => roles.some((role) => role === section))).toBe(true);
    }
    expect(sectionsFor(["finance"])[0]?.names).toContain("ted");
  });

  it("are found from the screen that they are about", () => {
    expect(helpFor("/kyc")).toBe("kyc-queue");
    expect(helpFor("/kyc/4f1c")).toBe("kyc-decide");
    expect(helpFor("/kyc/new")).toBe("kyc-start");
    expect(helpFor("/accounts/4f1c")).toBe("balance");
    expect(helpFor("/help")).toBeNull();
  });
});
