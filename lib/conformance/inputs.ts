import { z } from "zod";
import { documentsWithin, isDocument } from "@/lib/contract/document";
import { normaliseDocument, pasted } from "@/lib/contract/fold";
import { READS } from "@/lib/contract/reads";
import { isStorable } from "@/lib/contract/shared";
import { EXPLORABLE, parametersOf } from "./parameters";
import type { Parameter } from "./view";

export const ExplorerView = z.object({ read: z.enum(EXPLORABLE).catch("listWebhooks") });

const VALUE_MAX = 500;

/** `.` and `..` would lead to another path. */
const isPathValue = (value: string): boolean =>
  !/^\.{1,2}$/.test(value) && documentsWithin(value).length === 0 && !isDocument(normaliseDocument(value));

function readValue({ kind, name }: Parameter, typed: string): string {
  const value = pasted(typed);
  const document = normaliseDocument(value);
  return kind === "document" || (name === "onBoardingId" && isDocument(document)) ? document : value;
}

type Context = z.core.$RefinementCtx;

const reject = (context: Context, name: string, code: string) =>
  context.addIssue({ code: "custom", path: ["values", name], params: { code }, input: name });

function valuesOf(parameters: readonly Parameter[], typed: Readonly<Record<string, string>>, context: Context) {
  const filled = parameters.flatMap((parameter) => {
    const value = readValue(parameter, typed[parameter.name] ?? "");
    if (value === "" && parameter.isRequired) reject(context, parameter.name, "required");
    else if (!isStorable(value)) reject(context, parameter.name, "characters");
    else if (value !== "" && parameter.place === "path" && !isPathValue(value))
      reject(context, parameter.name, "invalid");
    return value === "" ? [] : [{ ...parameter, value }];
  });
  const at = (place: Parameter["place"]) =>
    Object.fromEntries(filled.flatMap((one) => (one.place === place ? [[one.name, one.value]] : [])));
  return { params: at("path"), query: at("query") };
}

/** What somebody typed, as one documented GET: only the parameters that the contract names, checked by it. */
export const ExplorerRequest = z
  .object({ read: z.enum(EXPLORABLE), values: z.record(z.string(), z.string().max(VALUE_MAX)) })
  .transform(({ read, values }, context) => {
    const { params, query } = valuesOf(parametersOf(READS[read]), values, context);
    const checked = READS[read].query.safeParse(query);
    for (const issue of checked.error?.issues ?? [])
      if (query[String(issue.path[0])] !== undefined)
        context.addIssue({ ...issue, code: "custom", path: ["values", ...issue.path], input: "" });
    return { read, params, query };
  });
export type ExplorerRequest = z.output<typeof ExplorerRequest>;
