// Written for old Nodes too, which must get as far as the refusal.

export const OLDEST_NODE = "20.19";

export function nodeRefusal(version) {
  const have = version.split(".").map(Number);
  const need = OLDEST_NODE.split(".").map(Number);
  if (have[0] > need[0] || (have[0] === need[0] && have[1] >= need[1])) return undefined;
  return "Retaguarda needs Node " + OLDEST_NODE + " or later; this is Node " + version + ".";
}

export function requireNode() {
  const refusal = nodeRefusal(process.versions.node);
  if (refusal === undefined) return;
  console.error(refusal);
  process.exit(1);
}
