// Written for old Nodes too: they must get as far as the refusal.

export const OLDEST_NODE = "20.19";

function isOlder(version, oldest) {
  const have = version.split(".").map(Number);
  const need = oldest.split(".").map(Number);
  return have[0] < need[0] || (have[0] === need[0] && have[1] < need[1]);
}

/** One line, or undefined when it is new enough. */
export function nodeRefusal(version) {
  if (!isOlder(version, OLDEST_NODE)) return undefined;
  return "Retaguarda needs Node " + OLDEST_NODE + " or later; this is Node " + version + ".";
}

export function requireNode() {
  const refusal = nodeRefusal(process.versions.node);
  if (refusal === undefined) return;
  console.error(refusal);
  process.exit(1);
}
