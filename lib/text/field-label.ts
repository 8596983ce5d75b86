import { namingHidden } from "./safe-link";

/** Wrappers of answers and lists, which are no part of a field's name. */
const WRAPPINGS =
  /^(?:data|dados|body|corpo|payload|content|conteudo|response|resposta|retorno|results?|resultados?|items|itens|records|registros|lista?)$/;
const ACRONYMS = /^(?:cep|cnpj|cpf|id|ip|ispb|kyc|pf|pix|pj|rg|ted|uf|url|uuid)$/;
const ACCENTED = [
  [/coes$/, "ções"],
  [/cao$/, "ção"],
  [/sao$/, "são"],
  [/encia(s?)$/, "ência$1"],
  [/ancia(s?)$/, "ância$1"],
  [/^usuari/, "usuári"],
  [/^beneficiari/, "beneficiári"],
  [/^proprietari/, "proprietári"],
  [/^bancari/, "bancári"],
  [/^juridic/, "jurídic"],
  [/^fisic/, "físic"],
  [/^numero/, "número"],
  [/^codigo/, "código"],
  [/^endereco/, "endereço"],
  [/^servico/, "serviço"],
  [/^preco/, "preço"],
  [/^credito/, "crédito"],
  [/^debito/, "débito"],
  [/^socio(s?)$/, "sócio$1"],
  [/^mae$/, "mãe"],
  [/^razao$/, "razão"],
  [/^orgao$/, "órgão"],
  [/^municipio/, "município"],
  [/^responsavel$/, "responsável"],
  [/^ultim/, "últim"],
  [/^e?mails?$/, "e-mail"],
] as const;

function inWords(word: string): string {
  const plain = word.toLowerCase();
  if (ACRONYMS.test(plain)) return plain.toUpperCase();
  const found = ACCENTED.find(([one]) => one.test(plain));
  return found === undefined ? plain : plain.replace(found[0], found[1]);
}

const wordsOf = (name: string) =>
  name
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .split(/[_\s-]+/)
    .filter((word) => word !== "");

const capitalised = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** `RESULTADO[0].PESSOA_JURIDICA.CONTATO[1]` reads `Pessoa jurídica · Contato 2`. */
export function fieldLabel(path: string): string {
  if (path.includes("*")) return namingHidden(path);
  const parts = path.split(".").map((part) => {
    const [name = ""] = part.split("[");
    const places = [...part.slice(name.length).matchAll(/\[(\d{1,9})\]/g)].map(([, at]) => Number(at) + 1);
    return { words: wordsOf(name), places };
  });
  const isWrapping = ({ words }: (typeof parts)[number]) => WRAPPINGS.test(words.join("").toLowerCase());
  const own = parts.findIndex((part) => !isWrapping(part));
  const told = own === -1 ? parts.slice(-1) : parts.slice(own);
  const labels = told.map(({ words, places }) =>
    capitalised([...words.map((word) => inWords(word)), ...places].join(" ")),
  );
  return namingHidden(labels.filter((label) => label !== "").join(" · "));
}
