import { z } from "zod";
import { command } from "@/lib/command";
import { addStaff, StaffToAdd } from "./records";

/** Null when they belong to all of these tenants already. */
const Added = z.object({ id: z.string(), isNew: z.boolean(), tenants: z.array(z.string()) }).nullable();

export const addPerson = command({ name: "staff:add", input: StaffToAdd, output: Added, run: addStaff });
