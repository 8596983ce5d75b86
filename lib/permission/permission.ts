const READS = ["onboarding:read", "accounts:read", "kyc:read", "transfers:read", "approvals:read"] as const;

export const ROLE_PERMISSIONS = {
  support: [
    ...READS,
    "onboarding:create",
    "onboarding:follow",
    "statement:export",
    "transfers:create",
    "accounts:close",
    "accounts:note",
    "outcomes:end",
    "pii:reveal",
    "webhooks:read",
    "deposits:ask",
  ],
  compliance: [
    ...READS,
    "onboarding:create",
    "onboarding:follow",
    "kyc:start",
    "kyc:decide",
    "kyc:assign",
    "kyc:note",
    "suspicions:handle",
    "accounts:note",
    "outcomes:end",
    "dossiers:export",
    "statement:export",
    "pii:reveal",
  ],
  finance: [
    ...READS,
    "statement:export",
    "transfers:create",
    "accounts:close",
    "accounts:note",
    "wallets:read",
    "wallets:create",
    "wallets:label",
    "position:rate",
    "deposits:ask",
    "crypto-transfers:create",
    "outcomes:end",
    "webhooks:read",
  ],
  approver: [...READS, "wallets:read", "approvals:authorize", "pii:reveal"],
  auditor: [
    ...READS,
    "statement:export",
    "wallets:read",
    "webhooks:read",
    "audit:read",
    "audit:export",
    "health:read",
    "dossiers:export",
  ],
  admin: [
    ...READS,
    "wallets:read",
    "position:rate",
    "webhooks:read",
    "explorer:use",
    "webhooks:replay",
    "settings:manage",
    "staff:manage",
    "audit:read",
    "audit:export",
    "health:read",
  ],
} as const;

export type Role = keyof typeof ROLE_PERMISSIONS;
export type Permission = (typeof ROLE_PERMISSIONS)[Role][number];

export const ROLES = [
  "support",
  "compliance",
  "finance",
  "approver",
  "auditor",
  "admin",
] as const satisfies readonly Role[];

export function isRole(name: string): name is Role {
  return ROLES.some((role) => role === name);
}

/**
 * Moves or settles money, opens or closes accounts, decides others' orders, shows documents in clear, or manages people
 * and rules: no administrator grants a role with one of these alone.
 */
const IS_CRITICAL: Readonly<Record<Permission, boolean>> = {
  "onboarding:read": false,
  "accounts:read": false,
  "kyc:read": false,
  "onboarding:create": true,
  "onboarding:follow": false,
  "kyc:start": false,
  "kyc:decide": true,
  "kyc:assign": false,
  "kyc:note": false,
  "suspicions:handle": false,
  "dossiers:export": false,
  "statement:export": false,
  "transfers:read": false,
  "transfers:create": true,
  "accounts:close": true,
  "accounts:note": false,
  "wallets:read": false,
  "wallets:create": true,
  "wallets:label": false,
  "position:rate": false,
  "deposits:ask": false,
  "crypto-transfers:create": true,
  "approvals:read": false,
  "approvals:authorize": true,
  "outcomes:end": true,
  "pii:reveal": true,
  "webhooks:read": false,
  "explorer:use": false,
  "webhooks:replay": false,
  "settings:manage": true,
  "staff:manage": true,
  "audit:read": false,
  "audit:export": false,
  "health:read": false,
};

const isPermission = (name: string): name is Permission => name in IS_CRITICAL;
export const PERMISSIONS = Object.keys(IS_CRITICAL).filter(isPermission);

export const isCritical = (permission: Permission): boolean => IS_CRITICAL[permission];

export const isCriticalRole = (role: Role): boolean => ROLE_PERMISSIONS[role].some(isCritical);

/** A critical role, which no administrator grants alone. */
export const addsCriticalRole = (before: readonly Role[], after: readonly Role[]): boolean =>
  after.some((role) => isCriticalRole(role) && !before.includes(role));

function grants(role: Role, permission: Permission): boolean {
  const granted: readonly Permission[] = ROLE_PERMISSIONS[role];
  return granted.includes(permission);
}

export function can(roles: readonly Role[], permission: Permission): boolean {
  return roles.some((role) => grants(role, permission));
}

export function rolesWith(permission: Permission): Role[] {
  return ROLES.filter((role) => grants(role, permission));
}

export function permissionsOf(roles: readonly Role[]): Permission[] {
  return [...new Set(roles.flatMap((role): readonly Permission[] => ROLE_PERMISSIONS[role]))];
}
