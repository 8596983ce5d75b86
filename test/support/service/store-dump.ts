import { migrateEmbedded, migrationsFolder } from "@/service/store/open";
import { dumpFileOf, makeDump } from "@/test/support/database-dump";

export const dumpFile = () => dumpFileOf("service", migrationsFolder);

export const setup = () => makeDump(dumpFile(), migrateEmbedded);
