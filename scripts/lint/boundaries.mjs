// Who may import what. Modules are named from the root, without extension: "lib/kyc/queries".

/** The folders of lib, from the ground up: each imports from its own and from those before it. */
export const floors = [
  "contract permission text errors log metrics settings turns pdf db audit mail watch provider drafts auth query action",
  "live notes approvals dossiers security privacy lab audit-trail conformance preferences calendar health calls",
  "kyc onboarding accounts transfers wallets movements position staff webhooks deposits suspicions help search first-steps sent-writes outcomes writes boot",
].flatMap((names) => names.split(" "));

/** From this one up, areas may know only parts of one another. */
export const firstArea = "kyc";
/** Lists over all areas, and the start: they may import all of each. */
export const wholeFloors = ["sent-writes", "writes", "boot"];
export const faceOfArea = /\/(queries|inputs|records|look-up|find-user|([a-z-]+-)?view|can)$/;
/** Imports that the floors do not restrict. */
export const floorExceptions = [{ from: /^lib\/text\/page\.ts$/, to: /^lib\/errors\/result$/ }];

/** Modules that a browser may load. */
const pure =
  /^lib\/((text|errors)\/[a-z-]+|db\/enums\/[a-z-]+|[a-z-]+\/(([a-z-]+-)?view|can)|permission\/(access|limits|watches|writes)|security\/passkey-browser)$/;
const contract = /^lib\/contract\//;
const browserless = /^(next|react|react-dom|next-auth|next-intl)(\/|$)|^@(radix-ui|tanstack)\//;
/** The front server's code for the caller's address, and its setting. */
const addresses = /^server\/addresses$/;
/** Temporary products and sign-in providers started like real ones, and network faults. */
const temporary = /^test\/support\/(temporary-[a-z]+|fault(-proxy)?)$/;
const everything = /./;

/** Tests and their support may import from both programs. */
export const testFiles = /^test\/|\.test\.tsx?$/;

/**
 * The first row whose `from` matches a file applies to it; a file without a row is free. `house`: modules of this
 * repository it may import; `types`: those it may import types from; `packages`: the packages it may import;
 * `notPackages`: those it may not. A module of its own folder is always allowed, by its types alone to `forBrowsers`.
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
    says: "components get their data as props: never queries, provider, db or auth",
  },
  {
    from: /^app\/(api|\.well-known)\//,
    house: [/^lib\/(?!provider\/|db\/)/],
    says: "a route goes through lib: never provider or db",
  },
  {
    from: /^app\//,
    house: [
      /^(app|components|messages)\//,
      pure,
      contract,
      /^lib\/[a-z-]+\/(queries|actions|inputs)$/,
      /^lib\/(auth\/session|permission\/permission)$/,
    ],
    types: [/^lib\/action$/],
    says: "screens read by queries and write by actions: never provider, db or another part of lib",
  },
  {
    from: /^lib\/[a-z-]+\/(([a-z-]+-)?view|can)\.ts$/,
    forBrowsers: true,
    house: [contract, pure, /^lib\/audit\/codes$/],
    types: [/^lib\/permission\/(permission|topics)$/, /^lib\/provider\/intents\/settling$/],
    says: "a view and what may be done are what a browser may know: nothing of the server",
  },
  {
    from: /^lib\/db\/enums\//,
    forBrowsers: true,
    house: [contract, pure],
    says: "what columns may hold is known to browsers too: nothing of the server",
  },
  {
    from: /^lib\/contract\//,
    house: [contract],
    packages: [/^zod$/, /^lossless-json$/, /^@(noble\/(hashes|curves)|scure\/base)(\/|$)/],
    says: "the contract is the wire alone: zod, lossless-json and what checks an address",
  },
  {
    from: /^lib\//,
    house: [/^(lib|messages)\//, addresses],
    says: "lib knows neither screens nor the service",
  },
  {
    from: /^service\//,
    house: [/^service\//, contract, /^lib\/db\/embedded$/],
    notPackages: [browserless],
    says: "the service knows itself and the contract: never the console",
  },
  {
    from: /^bench\/(provider|finance|coins|night)\//,
    house: [
      /^(bench|scripts)\//,
      temporary,
      /^lib\//,
      /^test\/support\/provider$/,
      /^service\/crypto\/addresses\/family$/,
    ],
    says: "these benches run the console in processes of their own, two of them beside a provider in the process",
  },
  {
    from: /^server\//,
    house: [/^server\//],
    packages: [/^node:/, /^(compression|next|sirv)$/],
    says: "the front server stands before Next in plain Node: it knows no screen and no lib",
  },
  {
    from: /^e2e\/(support\/)?access(-[a-z]+)?(\.spec)?\.ts$/,
    house: [
      /^(e2e|scripts|messages)\//,
      contract,
      /^lib\/(auth\/(view|sessions)|permission\/(access|permission)|db\/(connection|tables\/[a-z-]+))$/,
      /^test\/registries\/inputs$/,
    ],
    says: "who asks, and since when, is written into the store of a product before it starts: nothing else comes from inside",
  },
  {
    from: /^e2e\/support\/made-databases\.ts$/,
    house: [/^e2e\//, /^lib\/db\/connection$/, /^service\/store\/open$/],
    says: "empty databases are made as both programs make them, once for all products of a run",
  },
  {
    from: /^e2e\/support\/other-provider\.ts$/,
    house: [/^(e2e|scripts)\//, temporary, /^test\/other-provider$/],
    says: "the provider unlike ours is the one that the tests within have: nothing else comes from inside",
  },
  {
    from: /^e2e\/help\.spec\.ts$/,
    house: [/^(e2e|messages)\//, /^lib\/help\/view$/],
    says: "what a page of the handbook says is on its screen is held against that screen: nothing else comes from inside",
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
    module: /^lib\/permission\/grant$/,
    typesAreFree: true,
    only: /^(lib\/(query\.ts|action\.ts|sent-writes\.ts|auth\/[a-z-]+\.ts|[a-z-]+\/watch\.ts)|bench\/provider\/worker-process\.ts|bench\/(finance|coins|night)\/main\.ts)$/,
    says: "an actor is minted by the factories and the watches alone, and by these benches for themselves",
  },
  {
    module: /^lib\/auth\/actor-now$/,
    only: /^lib\/(approvals\/[a-z-]+|boot\/demo)\.ts$/,
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

/** Functions that write at once, by module: only the files named here may import them, tests apart. */
export const writes = [
  {
    names: { "lib/kyc/start": ["startCase"], "lib/onboarding/create": ["requestAccount"] },
    only: /^lib\/(kyc|onboarding)\/actions\.ts$/,
    says: "a case or an account is begun by the action of its area alone",
  },
];

/** Files that may read the environment. */
export const environmentReaders =
  /^(lib\/settings\/env\.ts|lib\/preferences\/word-files\.ts|service\/settings\.ts|instrumentation\.ts|server\/main\.mjs|(scripts|ops|e2e|bench|security)\/.+|test\/support\/temporary-[a-z]+\.mjs|[a-z.-]+\.config\.ts|.+\.test\.tsx?)$/;

/** Files whose exports the browser may call. */
export const actionFiles = /^lib\/[a-z-]+\/actions\.ts$/;

/** Files that turn any error into an answer, so their `catch` need not narrow. Scripts and tests are free. */
export const catchers = [
  /^(scripts|ops|e2e|bench)\//,
  /\.test\.tsx?$/,
  /^lib\/(db\/embedded|watch\/watch|boot\/boot|settings\/(keys|oidc-settings|tenants-file)|query|action|auth\/session)\.ts$/,
  /^lib\/provider\/(client|answer)\.ts$/,
  /^lib\/(audit\/(head|signed-file)|dossiers\/verify|db\/seal)\.ts$/,
  /^server\/guard\.mjs$/,
  /^service\/(main|json|store\/transaction)\.ts$/,
];
