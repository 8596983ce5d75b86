import { signingKey } from "@/lib/audit/head";
import { Contents } from "@/lib/dossiers/contents";

export const OUR_KEY = signingKey(Buffer.alloc(32, 9));
export const OTHER_KEY = signingKey(Buffer.alloc(32, 8));

const AT = "2026-11-20T14:03:22.117Z";
const ANA = { id: "5b3c1a30-6a1c-4f6e-9c1d-000000000001", name: "Ana Prado" };
const TEXT = '{"success":true,"result":[{"kycUUID":"case-1","status":"PENDING"}]}';
const HASH = "0f".repeat(32);

/** The contents of a dossier with something in every section. */
export const CONTENTS: Contents = Contents.parse({
  about: {
    tenant: "aurora",
    tenantName: "Aurora",
    environment: "SANDBOX",
    object: "kyc:case-1",
    dossierId: "5b3c1a30-6a1c-4f6e-9c1d-0000000000d1",
  },
  frozenAt: AT,
  case: {
    kycUUID: "case-1",
    document: "***.456.789-**",
    kycType: "PF",
    process: "kyc-documentscopy",
    status: "PENDING",
    webviewUrl: "https://provider.example/view/1",
    tags: ["pep"],
    assignee: ANA,
    assignedAt: AT,
    firstSeenAt: AT,
    changedAt: AT,
    seenAt: AT,
    waitingSince: AT,
    dueAt: AT,
  },
  decision: {
    intentId: "5b3c1a30-6a1c-4f6e-9c1d-0000000000a1",
    decision: "REPROVED",
    reason: "Documento fora do prazo de validade.\nVenceu em 2024.",
    reasonCode: "document-expired",
    note: "Conferir com a agência: João Ångström Жуков",
    checklist: [
      { code: "document-valid", text: "Documento legível e dentro da validade", isChecked: false },
      { code: "face-match", text: "Selfie confere com o documento", isChecked: true },
    ],
    rulesVersion: 3,
    expected: { status: "PENDING", process: "kyc-documentscopy" },
  },
  people: [
    { part: "proposer", ...ANA, roles: ["compliance"] },
    { part: "authoriser", id: "5b3c1a30-6a1c-4f6e-9c1d-000000000002", name: "Bruna Reis", roles: ["approver"] },
  ],
  approval: { id: "5b3c1a30-6a1c-4f6e-9c1d-0000000000b1", policyVersion: 2, proposedAt: AT, authorisedAt: AT },
  rules: { version: 3, slaHours: { PF: 24, PJ: 48 }, dueSoonHours: 8, stoppedWords: ["COAF"] },
  subject: {
    startedBy: ANA,
    startedAt: AT,
    form: { backgroundcheckModel: "COMPLETE", vatNumber: "52998224725", name: "José da Conceição", motherName: null },
    members: [{ ownerType: "SOCIO_ADMINISTRADOR", name: "Łukasz Nguyễn", vatNumber: "11144477735" }],
  },
  related: [
    { kind: "kyc", id: "case-0", document: "***.456.789-**", status: "REPROVED", basis: "masked-document", since: AT },
  ],
  timeline: [
    { at: AT, kind: "seen", by: null, detail: { status: "PENDING" } },
    { at: AT, kind: "claimed", by: ANA, detail: {} },
  ],
  earlierDecisions: [
    {
      intentId: "5b3c1a30-6a1c-4f6e-9c1d-0000000000a0",
      decision: "APPROVED",
      reason: "Conferido",
      note: null,
      by: ANA,
      at: AT,
      state: "UNKNOWN",
    },
  ],
  notes: [{ id: "n-1", by: ANA, at: AT, text: "Liguei para a agência às 10h.", retractedAt: null }],
  files: [
    {
      id: "f-1",
      name: "rg-frente.jpg",
      mediaType: "image/jpeg",
      sizeBytes: 182_331,
      sha256: HASH,
      by: ANA,
      at: AT,
      removedAt: null,
    },
  ],
  reveals: [{ by: ANA, at: AT, reason: "service", note: "Conferir o documento com a foto" }],
  provider: [
    { use: "before-sending", operation: "/v1/kyc/list", requestId: "req-1", askedAt: AT, text: TEXT, sha256: HASH },
  ],
  outcome: {
    state: "DONE",
    status: 200,
    code: null,
    requestId: "req-2",
    answerSha256: HASH,
    attempts: 1,
    firstSentAt: AT,
    finishedAt: AT,
    foundBy: ANA.id,
    sealedAt: AT,
  },
});
