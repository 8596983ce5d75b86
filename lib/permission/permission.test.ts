import { describe, expect, it } from "vitest";
import { ROLES as STORY_ROLES } from "@/e2e/support/roles";
import { ACTIONS, HANDLERS, PAGES } from "./access";
import { grant, watchActor } from "./grant";
import {
  can,
  isCritical,
  isCriticalRole,
  isRole,
  permissionsOf,
  type Permission,
  ROLE_PERMISSIONS,
  ROLES,
  rolesWith,
} from "./permission";

/** The decided table; a change of permissions is a change here, too. One letter per role, in the order of ROLES. */
const TABLE: Record<Permission, string> = {
  // support, compliance, finance, aPprover, aUditor, aDmin
  "onboarding:read": "scfpud",
  "accounts:read": "scfpud",
  "kyc:read": "scfpud",
  "onboarding:create": "sc----",
  "onboarding:follow": "sc----",
  "kyc:start": "-c----",
  "kyc:decide": "-c----",
  "kyc:assign": "-c----",
  "kyc:note": "-c----",
  "suspicions:handle": "-c----",
  "dossiers:export": "-c--u-",
  "statement:export": "scf-u-",
  "transfers:read": "scfpud",
  "transfers:create": "s-f---",
  "accounts:close": "s-f---",
  "accounts:note": "scf---",
  "wallets:read": "--fpud",
  "wallets:create": "--f---",
  "wallets:label": "--f---",
  "position:rate": "--f--d",
  "deposits:ask": "s-f---",
  "crypto-transfers:create": "--f---",
  "approvals:read": "scfpud",
  "approvals:authorize": "---p--",
  "outcomes:end": "scf---",
  "pii:reveal": "sc-p--",
  "webhooks:read": "s-f-ud",
  "explorer:use": "-----d",
  "webhooks:replay": "-----d",
  "settings:manage": "-----d",
  "staff:manage": "-----d",
  "audit:read": "----ud",
  "audit:export": "----ud",
  "health:read": "----ud",
};

/** The decided list, repeated: permissions that one administrator's puppet could do harm with. */
const CRITICAL: readonly Permission[] = [
  "onboarding:create",
  "kyc:decide",
  "transfers:create",
  "accounts:close",
  "wallets:create",
  "crypto-transfers:create",
  "approvals:authorize",
  "outcomes:end",
  "pii:reveal",
  "settings:manage",
  "staff:manage",
];

const isPermission = (name: string): name is Permission => Object.hasOwn(TABLE, name);
const permissions = Object.keys(TABLE).filter(isPermission);
const cells = permissions.flatMap((permission) =>
  ROLES.map((role, column) => ({ role, permission, may: TABLE[permission][column] !== "-" })),
);

describe("a role", () => {
  it("lists a role once it has a permission", () => {
    expect(ROLES.toSorted()).toEqual(Object.keys(ROLE_PERMISSIONS).toSorted());
  });

  it("gives a role its letter in each row of the table", () => {
    expect(permissions.filter((permission) => TABLE[permission].length !== ROLES.length)).toEqual([]);
  });

  it("uses each role in the browser stories", () => {
    expect(STORY_ROLES).toEqual(ROLES);
  });
});

describe("who may do what", () => {
  it.each(cells)("$role, $permission: $may", ({ role, permission, may }) => {
    expect(can([role], permission)).toBe(may);
    expect(grant({ staffId: "id", tenant: "aurora", roles: [role] }, permission) !== null).toBe(may);
  });

  it("has no permission missing from the table", () => {
    expect(permissionsOf(ROLES).toSorted()).toEqual(permissions.toSorted());
  });

  it("calls each permission critical or not", () => {
    expect(permissions.filter(isCritical).toSorted()).toEqual(CRITICAL.toSorted());
  });

  it("treats every role as critical except the auditor's", () => {
    expect(ROLES.filter(isCriticalRole)).toEqual(["support", "compliance", "finance", "approver", "admin"]);
  });

  it("grants only permissions that something requires", () => {
    const asked = new Set<string>([
      ...Object.values(ACTIONS).map(({ needs }) => needs),
      ...Object.values(PAGES),
      ...Object.values(HANDLERS).flatMap((methods) => Object.values(methods)),
    ]);
    expect(permissions.filter((permission) => !asked.has(permission))).toEqual([]);
  });

  it("combines a person's roles, each permission once", () => {
    expect(can(["auditor", "compliance"], "kyc:decide")).toBe(true);
    expect(can([], "kyc:read")).toBe(false);
    const both = permissionsOf(["support", "compliance"]);
    expect(new Set(both).size).toBe(both.length);
  });

  it("separates those who order money from those who authorise it", () => {
    expect(rolesWith("approvals:authorize")).toEqual(["approver"]);
    expect(rolesWith("transfers:create")).not.toContain("approver");
  });

  it("names the roles that a disabled control needs", () => {
    expect(rolesWith("kyc:decide")).toEqual(["compliance"]);
    expect(rolesWith("wallets:read")).toEqual(["finance", "approver", "auditor", "admin"]);
  });

  it("knows only these six roles", () => {
    expect(ROLES.every(isRole)).toBe(true);
    for (const odd of ["root", "Admin", "", "constructor", "toString"]) expect(isRole(odd)).toBe(false);
  });
});

describe("an actor", () => {
  it("carries the person, the tenant and the permission in an actor", () => {
    const actor = grant({ staffId: "id", tenant: "aurora", roles: ["compliance"] }, "kyc:decide");
    expect(actor).toMatchObject({ id: "id", tenant: "aurora", roles: ["compliance"], permission: "kyc:decide" });
  });

  it("carries a watch's name in an actor without any role", () => {
    expect(watchActor("kyc", "aurora", "kyc:read")).toMatchObject({ id: "watch:kyc", roles: [] });
  });
});
