// Attacks the product as anybody with its address could, and as people with a session would, and says of each what was tried and what
// came of it. Ends with 1 when one of them got through.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { makeDatabases } from "@/e2e/support/made-databases";
import { floodWithBodies, floodWithConnections, sendSlowly } from "./floods.mjs";
import {
  forgeOrigin,
  forgeAddress,
  injectIntoLog,
  nestQuotes,
  optimiseImage,
  returnElsewhere,
  tryCrowd,
} from "./requests.mjs";
import { startTwice, useIdsTwice } from "./same-ids";
import {
  askForForeignIds,
  getRoundProof,
  hijackBeforehand,
  makeBothPairs,
  sendQuadraticBodies,
  startAttacked,
  startSeated,
} from "./signed-in";

/** Each answers `{came, isRepelled}`. What is slow goes on beside the others; the last takes every connection there is. */
const ATTACKS = [
  { tried: "a body of 64 MiB without a length, to every kind of path, four at once", attack: floodWithBodies },
  { tried: "64 KiB of quotes to the embedded service, before it knows who asks", attack: nestQuotes },
  { tried: "text for the log, by every verb that next-auth has for it", attack: injectIntoLog },
  { tried: "an address elsewhere to return to, and one planted in the browser", attack: returnElsewhere },
  { tried: "another site's Origin and Host, and a proxy's Host beside our own Origin", attack: forgeOrigin },
  // Before the guesses, after which nobody signs in from this address for a while.
  {
    tried: "a grave write after a change of password, a wrong proof, and by the id from before one",
    attack: getRoundProof,
  },
  { tried: "eight guesses at one account, each from another address by X-Forwarded-For", attack: forgeAddress },
  { tried: "120 guesses at once, each at an account of its own", attack: tryCrowd },
  { tried: "images of any size from /_next/image", attack: optimiseImage },
  { tried: "headers and bodies that come a byte at a time and never end", attack: sendSlowly, isSlow: true },
  { tried: "700 connections from one address", attack: floodWithConnections },
];

/** Against a product of two tenants, whose people may also sign in at the company. */
const SIGNED_IN = [
  { tried: "ids of one tenant in every write, by somebody of another", attack: askForForeignIds },
  {
    tried: "an invitation taken by its inviter before its person comes in by single sign-on",
    attack: hijackBeforehand,
  },
  { tried: "one admin alone as both of the two who must agree", attack: makeBothPairs },
  { tried: "bodies of a megabyte to the embedded service, whose cost might grow faster", attack: sendQuadraticBodies },
];

/** Against a product that is started again on what it has. */
const STARTED_AGAIN = [
  { tried: "the same ids at two tenants, in every write whose id the browser makes", attack: useIdsTwice },
];

const { values } = parseArgs({ options: { report: { type: "string" }, only: { type: "string" } } });
const names = [...ATTACKS, ...SIGNED_IN, ...STARTED_AGAIN].map(({ attack }) => attack.name);
if (values.only !== undefined && !names.includes(values.only)) {
  console.error(`--only takes one of ${names.join(", ")}`);
  process.exit(2);
}
const results = [];

async function attackWith(attacks, start) {
  const wanted = attacks.filter(({ attack }) => values.only === undefined || attack.name === values.only);
  if (wanted.length === 0) return;
  const product = await start();
  const run = ({ attack }) => attack(product).catch((error) => ({ came: String(error), isRepelled: false }));
  const goingOn = new Map(wanted.filter(({ isSlow }) => isSlow).map((one) => [one, run(one)]));
  for (const one of wanted) {
    const startedAtMs = performance.now();
    const { came, isRepelled } = await (goingOn.get(one) ?? run(one));
    const took = ((performance.now() - startedAtMs) / 1000).toFixed(1);
    results.push({ tried: one.tried, came, isRepelled });
    console.log(`${isRepelled ? "✓" : "✗"} ${one.tried}: ${came} (${took} s)`);
  }
  await product.stop();
}

const removeDatabases = await makeDatabases();
// A proof is soon too old for what asks for a recent one.
await attackWith(ATTACKS, () => startSeated({ STEP_UP_MINUTES: "0.05" }));
await attackWith(SIGNED_IN, startAttacked);
await attackWith(STARTED_AGAIN, startTwice);
removeDatabases();
if (values.report !== undefined) writeFileSync(values.report, JSON.stringify({ results }));
const through = results.filter(({ isRepelled }) => !isRepelled).length;
console.log(`${results.length - through} of ${results.length} attacks repelled`);
process.exit(through === 0 ? 0 : 1);
