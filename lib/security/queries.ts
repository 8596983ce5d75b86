import { query } from "@/lib/query";
import { readAddressList } from "./address-list";

export const getAddressList = query("settings:manage", readAddressList);
