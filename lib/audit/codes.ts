import { type Permission, PERMISSIONS } from "@/lib/permission/permission";
import { RECORDED_AS, type RecordedAs } from "@/lib/permission/writes";

const OWN_CODES = [
  "session.open",
  "session.end",
  "session.switch",
  "session.address",
  "session.idle",
  "session.step-up",

  "password.change",
  "password.link",
  "password.reset",
  "totp.enrol",
  "totp.disable",
  "totp.refused",
  "passkey.add",
  "passkey.remove",
  "passkey.refused",
  "recovery-code.use",
  "recovery-codes.make",

  "staff.add",
  "staff.invite",
  "staff.accept",
  "staff.roles",
  "staff.disable",
  "staff.enable",
  "staff.reset-mfa",
  "staff.link",
  "staff.break-glass",
  "staff.password-link",
  "staff.end-sessions",
  "access.review",
  "access.export",

  "approval.propose",
  "approval.authorise",
  "approval.refuse",
  "approval.withdraw",
  "approval.expire",
  "approval.comment",
  "approval.execute",

  "kyc.claim",
  "kyc.take-over",
  "kyc.release",
  "kyc.away",
  "kyc.link",
  "kyc.share",
  "kyc.put-off",
  "kyc.put-off-end",
  "kyc.escalate",
  "kyc.escalation-take",
  "kyc.escalation-answer",
  "kyc.escalation-end",
  "kyc.dossier",
  "suspicion.raise",
  "suspicion.move",

  "settings.approval-policy",
  "settings.kyc-rules",
  "settings.calendar",
  "settings.addresses",
  "settings.alarm-bounds",

  "customer.view",
  "customer.search",
  "personal-data.reveal",
  "personal-data.unusual",
  "personal-data.more",
  "alarm.open",
  "alarm.take",
  "alarm.end",
  "personal-data.export",
  "personal-data.file",
  "keys.rotate",
  "retention.run",

  "casework.note",
  "casework.note-retract",
  "casework.file-add",
  "casework.file-open",
  "casework.file-remove",

  "audit.verify",
  "records.unreadable",
  "outcomes.contradict",
  "outcomes.exclude",

  "kyc.assign-many",
  "kyc.tag",
  "kyc.untag",
  "kyc.export",
  "kyc.export-case",
  "kyc.review-start",
  "kyc.waive-start",
  "view.keep",
  "view.change",
  "view.remove",
  "position.export",
  "position.read-again",

  "accounts.look-up",
  "pix-key.look-up",
  "otc.look-up",
  "mail.give-up",
  "movements.start",
  "movements.stop",
  "movements.finish",
  "movements.export",
  "movements.list",
  "lab.export-drill",
  "lab.play",
  "token.check",
  "token.revoke",
  "ted.return",
  "payee.save",
  "payee.remove",
  "onboarding.check",
  "onboarding.link",
  "onboarding.join",
  "onboarding.part",
  "onboarding.review-account",
  "onboarding.prefill",
  "onboarding.waive-account",

  "webhooks.refuse",
  "webhooks.replay-stop",
  "webhooks.replay-finish",
  "transfers.export",
  "accounts.export",
  "wallets.import",
  "wallets.export",
  "wallets.export-list",
  "coins.export",
  "deposits.expect",
  "deposits.handle",
  "deposits.withdraw",
  "deposits.export",
  "calls.export",
  "webhooks.export",
  "webhooks.export-refused",
  "approvals.export",
] as const;

type CodeOf<Name extends Permission> = Name extends `${infer Area}:${infer Verb}` ? `${Area}.${Verb}` : never;
/** The permission's name as a code, for the act and its refusal. */
type PermissionCode = { [Name in Permission]: CodeOf<Name> }[Permission];

export type AuditCode = (typeof OWN_CODES)[number] | RecordedAs | PermissionCode;

const PERMISSION_CODES: readonly string[] = PERMISSIONS.map((permission) => permission.replace(":", "."));
const isPermissionCode = (code: string): code is PermissionCode => PERMISSION_CODES.includes(code);

/** `area.verb`, never renamed: the record is append-only. Named for people under `audit.codes` in the messages. */
export const AUDIT_CODES: readonly AuditCode[] = [
  ...OWN_CODES,
  ...RECORDED_AS,
  ...PERMISSION_CODES.filter(isPermissionCode),
];

/** Changes of permissions and approval rules, which are signed at once so that nobody can remove them unnoticed. */
export const GRAVE_CODES: readonly AuditCode[] = [
  "totp.enrol",
  "totp.disable",
  "passkey.add",
  "passkey.remove",
  "staff.add",
  "staff.accept",
  "staff.roles",
  "staff.enable",
  "staff.reset-mfa",
  "staff.link",
  "staff.break-glass",
  "staff.password-link",
  "approval.authorise",
  "crypto-transfers.create",
  "settings.approval-policy",
  "settings.kyc-rules",
  "settings.calendar",
  "settings.addresses",
  "settings.alarm-bounds",
  "keys.rotate",
];

export function isAuditCode(code: string): code is AuditCode {
  return AUDIT_CODES.some((known) => known === code);
}

export function refusalCode(permission: Permission): AuditCode {
  const code = permission.replace(":", ".");
  if (!isAuditCode(code)) throw new Error(`no audit code is named after ${permission}`);
  return code;
}
