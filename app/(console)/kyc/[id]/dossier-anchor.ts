/** Where on the case's page the dossier of a decision stands. */
export const dossierAnchor = (intentId: string): string => `dossier-${intentId}`;
