import { z } from "zod";
import { readNetwork } from "@/lib/auth/allowed-addresses";
import { NETWORKS_MAX } from "./view";

const TEXT_MAX = 20_000;

/** One a line, or with commas or blanks between them. Refuses at the field what cannot be read, in its words. */
const Networks = z
  .string()
  .max(TEXT_MAX)
  .transform((text, context) => {
    const typed = text.split(/[\s,;]+/).filter(Boolean);
    const read = typed.map((one) => ({ one, network: readNetwork(one) }));
    const wrong = read.find(({ network }) => network === null);
    const refuse = (code: string, word: string) =>
      context.addIssue({ code: "custom", params: { code, word }, input: text });
    if (wrong !== undefined) refuse("address-unread", wrong.one.slice(0, 60));
    const networks = [...new Set(read.flatMap(({ network }) => network ?? []))];
    if (networks.length > NETWORKS_MAX) refuse("too-many-addresses", String(NETWORKS_MAX));
    return networks;
  });

/** `version`: the one that the form was filled from. */
export const AddressListForm = z.strictObject({ addresses: Networks, version: z.int().min(0) });
export type AddressListForm = z.output<typeof AddressListForm>;
