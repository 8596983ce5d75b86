import type { Operation } from "@/service/gateway/operation";
import { operations } from "@/service/gateway/operations";
import { parametersOf } from "./parameters";
import { PROSE } from "./prose";
import { answer, json, otherAnswers } from "./responses";
import type { Components } from "./schemas";
import { tagOf } from "./tags";

/** The operations of one path, by their methods in small letters. */
export type PathItem = Record<string, object>;

type Id = keyof typeof operations;

const isId = (name: string): name is Id => Object.hasOwn(operations, name);
const capitalised = (name: string) => name.replace(/^./, (letter) => letter.toUpperCase());

function describe(id: Id, components: Components) {
  const operation: Operation = operations[id];
  const { description, requests, answers } = PROSE[id];
  const { method, path, summary, family } = operation;
  const answered = components.refer(operation.answer, `${capitalised(id)}Answer`);
  const needs = family === null ? "Needs no product family." : `Product family: ${family}.`;
  return {
    operationId: id,
    summary,
    description: `${description}\n\n${needs}`,
    tags: [tagOf(path)],
    parameters: parametersOf(id, operation),
    ...(method !== "GET" && {
      requestBody: {
        required: true,
        content: json(components.refer(operation.input, `${capitalised(id)}Request`), requests),
      },
    }),
    responses: { 200: answer("Done.", json(answered, answers)), ...otherAnswers(operation) },
  };
}

/** Every path of the gateway with its operations. */
export function gatewayPaths(components: Components): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {};
  for (const id of Object.keys(operations).filter(isId)) {
    const { path, method } = operations[id];
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(id, components) };
  }
  return paths;
}
