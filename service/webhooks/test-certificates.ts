import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

// Made where used, as a key in a repository is no secret and expires.

const SEQUENCE = 0x30;
const SET = 0x31;
const BOOLEAN = 0x01;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const GENERALIZED_TIME = 0x18;
const VERSION_TAG = 0xa0;
const EXTENSIONS_TAG = 0xa3;
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;

function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 0xff]), content]);
}

function objectId(...arcs: number[]): Buffer {
  const [first = 0, second = 0, ...others] = arcs;
  const octets = others.flatMap((arc) => {
    const digits: number[] = [arc & 0x7f];
    for (let rest = arc >> 7; rest > 0; rest >>= 7) digits.unshift(0x80 | (rest & 0x7f));
    return digits;
  });
  return der(OBJECT_ID, Buffer.from([first * 40 + second, ...octets]));
}

const ECDSA_WITH_SHA256 = der(SEQUENCE, objectId(1, 2, 840, 10_045, 4, 3, 2));
const COMMON_NAME = objectId(2, 5, 4, 3);
const SUBJECT_ALTERNATIVE_NAME = objectId(2, 5, 29, 17);
const BASIC_CONSTRAINTS = objectId(2, 5, 29, 19);
const YES = der(BOOLEAN, Buffer.from([0xff]));

const nameOf = (text: string) =>
  der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, Buffer.from(text)))));
const timeOf = (at: Date) => der(GENERALIZED_TIME, Buffer.from(`${at.toISOString().replaceAll(/[-:T]|\..*/g, "")}Z`));
const extension = (id: Buffer, content: Buffer) => der(SEQUENCE, id, YES, der(OCTET_STRING, content));

function alternativeName(host: string): Buffer {
  const isAddress = /^[\d.]+$/.test(host);
  return isAddress ? der(IP_ADDRESS, Buffer.from(host.split(".").map(Number))) : der(DNS_NAME, Buffer.from(host));
}

type Issuer = { name: string; key: KeyObject };
type Certified = { hosts: readonly string[]; issuer?: Issuer; notAfter?: Date };

const DAY_MS = 86_400_000;

/** Self-signed without an issuer; an authority has no hosts. */
export function certify({ hosts, issuer, notAfter = new Date(Date.now() + DAY_MS) }: Certified) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = hosts[0] ?? "an authority of the tests";
  const isAuthority = hosts.length === 0;
  const extensions = isAuthority
    ? extension(BASIC_CONSTRAINTS, der(SEQUENCE, YES))
    : extension(SUBJECT_ALTERNATIVE_NAME, der(SEQUENCE, ...hosts.map(alternativeName)));
  const certified = der(
    SEQUENCE,
    der(VERSION_TAG, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    nameOf(issuer?.name ?? name),
    der(SEQUENCE, timeOf(new Date(notAfter.getTime() - 2 * DAY_MS)), timeOf(notAfter)),
    nameOf(name),
    publicKey.export({ type: "spki", format: "der" }),
    der(EXTENSIONS_TAG, der(SEQUENCE, extensions)),
  );
  const signature = sign("sha256", certified, issuer?.key ?? privateKey);
  const whole = der(SEQUENCE, certified, ECDSA_WITH_SHA256, der(BIT_STRING, Buffer.from([0]), signature));
  const lines = whole.toString("base64").match(/.{1,64}/g) ?? [];
  const cert = ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
  return { name, privateKey, key: privateKey.export({ type: "pkcs8", format: "pem" }), cert };
}
