// Who may import what. Modules are named from the root, without extension: "lib/kyc/queries".

const areas = "onboarding|outcomes|accounts|transfers|wallets|kyc|webhooks|staff|calls|dossiers|preferences";
/** What of an area a browser may know, and what knows no area: text and errors. */
const pure = /^lib\/((text|errors)\/[a-z-]+|[a-z-]+\/([a-z-]+-)?view|auth\/(access|passkey-browser))$/;
/** What every area stands on, apart from the bank and the store. */
const common = /^lib\/((settings|text|errors|process)\/[a-z-]+|[a-z-]+\/([a-z-]+-)?view)$/;
const factories = /^lib\/(query|action)$/;
const contract = /^lib\/contract\//;
const otherAreas = new RegExp(`^lib/(${areas})/(queries|rules|records)$`);
const foundations = /^lib\/(contract|bank|store|audit|approvals|auth|live|privacy|casework)\/|^lib\/outcomes\/schema$/;
const browserless = /^(next|react|react-dom|next-auth|next-intl)(\/|$)|^@(radix-ui|tanstack)\//;
/** How the front server names who asks, and the setting that it does it by. */
const addresses = /^server\/addresses$/;
/** Products and companies' sign-ins of their own, started as people start them. */
const temporary = /^test\/support\/temporary-[a-z]+$/;
const everything = /./;

/** Tests and what they are set up with may reach into both programs. */
export const testFiles = /^test\/|\.test\.tsx?$/;

/**
 * The first row whose `from` fits a file holds for it; a file that fits none is free.
 * `house`: modules of this repository it may import; `types`: those it may import types from; `packages`: the packages it
 * may import; `notPackages`: those it may not. A module of its own folder is always allowed, by its types alone to `forBrowsers`.
 */
export const boundaries = [
  { from: testFiles, house: [everything] },
  {
    from: /^components\/ui\//,
    house: [/^components\/ui\//],
    packages: [/^react(-dom)?$/, /^@radix-ui\//, /^next\/link$/],
    says: "primitives know React and Radix: no domain, no data",
  },
  {
    from: /^components\//,
    house: [/^components\//, contract, pure, /^messages\//],
    types: [/^lib\/action$/],
    notPackages: [/^next-auth(\/|$)/, /^drizzle-orm(\/|$)/, /^pg$/],
    says: "components get their data as props: never queries, bank, store or auth",
  },
  {
    from: /^app\/(api|\.well-known)\//,
    house: [/^lib\/(?!bank\/|store\/)/],
    says: "a route goes through lib: never bank or store",
  },
  {
    from: /^app\//,
    house: [
      /^(app|components|messages)\//,
      pure,
      contract,
      /^lib\/[a-z-]+\/(queries|actions|rules)$/,
      /^lib\/auth\/(session|permission)$/,
    ],
    types: [/^lib\/action$/],
    says: "screens read by queries and write by actions: never bank, store or another part of lib",
  },
  {
    from: /^lib\/[a-z-]+\/([a-z-]+-)?view\.ts$/,
    forBrowsers: true,
    house: [contract, pure, /^lib\/audit\/codes$/],
    types: [/^lib\/auth\/permission$/],
    says: "a view is what a browser may know: nothing of the server",
  },
  {
    from: /^lib\/contract\//,
    house: [contract],
    packages: [/^zod$/, /^lossless-json$/],
    says: "the contract is the wire alone: zod and lossless-json",
  },
  {
    from: /^lib\/bank\//,
    house: [/^lib\/(bank|store|contract)\//, common],
    types: [/^lib\/auth\//],
    says: "the bank knows contract, env and store",
  },
  {
    from: /^lib\/store\//,
    house: [/^lib\/(store|contract)\//, common],
    types: [/^lib\/auth\/permission$/],
    says: "the store knows contract and env",
  },
  {
    from: /^lib\/auth\//,
    house: [
      /^lib\/(auth|store|audit|contract)\//,
      /^lib\/live\/publish$/,
      /^lib\/bank\/answer$/,
      common,
      factories,
      addresses,
    ],
    says: "auth knows store and audit, tells open pages and refuses as the bank does",
  },
  {
    from: /^lib\/audit\//,
    house: [/^lib\/(audit|auth|store|contract|live)\//, common, factories],
    says: "the record knows no area and no bank",
  },
  {
    from: /^lib\/approvals\//,
    house: [foundations, common, factories],
    says: "the approvals know no area: it is the areas that tell them what they do",
  },
  {
    from: /^lib\/casework\//,
    house: [foundations, common, factories],
    says: "casework knows no area: it is the areas that say what their notes and files are put to",
  },
  {
    from: /^lib\/(query|action)\.ts$/,
    house: [/^lib\/(auth|audit|approvals|store|contract|bank)\//, common, factories],
    says: "the factories know no area",
  },
  {
    from: /^lib\/privacy\//,
    house: [foundations, otherAreas, /^lib\/[a-z]+\/schema$/, /^lib\/kyc\/started$/, common, factories],
    says: "privacy knows where personal data stands: every area's tables, and nothing else of it",
  },
  {
    from: /^lib\/((settings|text|errors|process)\/|[a-z.-]+$)/,
    house: [
      foundations,
      new RegExp(`^lib/(${areas})/(queries|rules|records|watch|commands|approvals|rules-approval|demo)$`),
      common,
      factories,
      addresses,
    ],
    says: "lib knows neither screens nor the service",
  },
  {
    from: /^lib\/search\//,
    house: [
      foundations,
      new RegExp(`^lib/(${areas})/(queries|rules|records|schema|look-up)$`),
      /^lib\/privacy\/(schema|view)$/,
      common,
      factories,
    ],
    says: "the one search reads what each area keeps, and does nothing",
  },
  {
    from: /^lib\/[a-z-]+\//,
    house: [foundations, otherAreas, common, factories, /^messages\//],
    says: "an area reads another one only through its queries, rules or records",
  },
  {
    from: /^service\//,
    house: [/^service\//, contract, /^lib\/process\/embedded$/],
    notPackages: [browserless],
    says: "the service knows itself and the contract: never the console",
  },
  {
    from: /^bench\/bank\//,
    house: [/^(bench|scripts)\//, temporary, contract, /^lib\/(bank|store|transfers|auth|live)\//, common, factories],
    says: "the bench of the bank runs it in processes of its own",
  },
  {
    from: /^server\//,
    house: [/^server\//],
    packages: [/^node:/, /^(next|sirv)$/],
    says: "the front server stands before Next in plain Node: it knows no screen and no lib",
  },
  {
    from: /^e2e\/(support\/)?access(-[a-z]+)?(\.spec)?\.ts$/,
    house: [
      /^(e2e|scripts|messages)\//,
      contract,
      /^lib\/auth\/(access|view)$/,
      /^lib\/auth\/(permission|schema|sessions)$/,
      /^lib\/store\/(schema|store)$/,
      /^test\/registries\/inputs$/,
    ],
    says: "who asks, and since when, is written into the store of a product before it starts: nothing else comes from inside",
  },
  {
    from: /^e2e\/support\/made-databases\.ts$/,
    house: [/^e2e\//, /^lib\/store\/store$/, /^service\/store\/open$/],
    says: "empty databases are made as both programs make them, once for all products of a run",
  },
  {
    from: /^e2e\/support\/other-provider\.ts$/,
    house: [/^(e2e|scripts)\//, temporary, /^test\/other-provider$/],
    says: "the provider unlike ours is the one that the tests within have: nothing else comes from inside",
  },
  {
    from: /^(e2e|bench)\//,
    house: [/^(e2e|bench|scripts|messages)\//, temporary, contract],
    says: "tests of the product use it from outside",
  },
  {
    from: /^scripts\/(setup\/[a-z-]+|product|program|start|with-parent)\.mjs$/,
    house: [/^scripts\//, /^server\/env-file$/],
    packages: [/^node:/, /^playwright$/],
    says: "set-up runs before anything is installed: plain Node (playwright only by import(), once it is there)",
  },
];

/** Modules and packages that only the files named here may import, tests apart. */
export const restricted = [
  {
    module: /^lib\/auth\/grant$/,
    typesAreFree: true,
    only: /^(lib\/(query\.ts|action\.ts|auth\/[a-z-]+\.ts|[a-z-]+\/watch\.ts)|bench\/bank\/people\.ts)$/,
    says: "an actor is minted by the factories and the watches alone, and by the bench of the bank for itself",
  },
  {
    module: /^lib\/auth\/actor-now$/,
    only: /^lib\/(approvals\/[a-z-]+|process\/demo)\.ts$/,
    says: "acting in somebody else's name is for what a second person authorised, and for the demo's people",
  },
  {
    module: /^next-auth(\/|$)/,
    only: /^(lib\/auth\/session\.ts|app\/api\/auth\/.+|e2e\/support\/access-callers\.ts)$/,
    says: "next-auth stays behind lib/auth/session",
  },
  {
    module: /^test\//,
    only: /^(e2e|bench|security)\/|^playwright\.config\.ts$|^scripts\/checks\/size\.mjs$/,
    says: "what is in test is for tests, stories and the bench",
  },
];

/** What writes at once, by the module that exports it: only the files named here may import these names, tests apart. */
export const writes = [
  {
    names: {
      "lib/accounts/approvals": ["closureApproval"],
      "lib/approvals/propose": ["looseningApproval"],
      "lib/kyc/approvals": ["decisionApproval"],
      "lib/kyc/rules-approval": ["caseRulesApproval"],
      "lib/unconfirmed/approvals": ["outcomeApproval"],
      "lib/staff/approvals": ["factorApproval", "invitationApproval", "rolesApproval"],
      "lib/transfers/approvals": ["externalApproval", "internalApproval"],
      "lib/wallets/approvals": ["cryptoApproval"],
    },
    only: /^lib\/process\/approval-kinds\.ts$/,
    says: "a write that may need a second person is ordered, never performed",
  },
  {
    names: { "lib/kyc/start": ["startCase"], "lib/onboarding/create": ["requestAccount"] },
    only: /^lib\/(kyc|onboarding)\/actions\.ts$/,
    says: "a case or an account is begun by the action of its area alone",
  },
];

/** Files that may read the environment. */
export const environmentReaders =
  /^(lib\/settings\/env\.ts|components\/layout\/client-messages\.tsx|service\/settings\.ts|instrumentation\.ts|server\/main\.mjs|(scripts|ops|e2e|bench|security)\/.+|test\/support\/temporary-[a-z]+\.mjs|[a-z.-]+\.config\.ts|.+\.test\.tsx?)$/;

/** Files whose exports the browser may call. */
export const actionFiles = /^lib\/[a-z-]+\/actions\.ts$/;

/** Files that turn any error into an answer: their `catch` need not narrow. Programs under scripts and tests are free. */
export const catchers = [
  /^(scripts|ops|e2e|bench)\//,
  /\.test\.tsx?$/,
  /^lib\/(process\/(embedded|watch|boot)|settings\/(keys|oidc-settings|tenants-file)|query|action|auth\/session)\.ts$/,
  /^lib\/bank\/(client|answer)\.ts$/,
  /^lib\/(audit\/head|dossiers\/verify|store\/seal)\.ts$/,
  /^server\/guard\.mjs$/,
  /^service\/(main|json|store\/transaction|transfers\/queue)\.ts$/,
];
