// Written for old Nodes too: they must get as far as the line that refuses them.

export const OLDEST_NODE = "20.19";

function isOlder(version, oldest) {
  const have = version.split(".").map(Number);
  const need = oldest.split(".").map(Number);
  return have[0] < need[0] || (have[0] === need[0] && have[1] < need[1]);
}

/** The one line that refuses a Node of this version, or undefined when it is new enough. */
export function nodeRefusal(version) {
  if (!isOlder(version, OLDEST_NODE)) return undefined;
  return "Retaguarda needs Node " + OLDEST_NODE + " or later; this is Node " + version + ".";
}

/** Ends the program with that line when the running Node is too old. */
export function requireNode() {
  const refusal = nodeRefusal(process.versions.node);
  if (refusal === undefined) return;
  console.error(refusal);
  process.exit(1);
}
