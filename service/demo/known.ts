import { completeCpf } from "@/lib/contract/document";

/** The holder to try the demo with: an invented person with a long statement. */
export const KNOWN_HOLDER = { fullName: "Mariana Alves Ribeiro", documentNumber: completeCpf("417205638") } as const;
