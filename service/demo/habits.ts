import type { ENTRY_TYPES } from "@/lib/contract/accounts";
import { list } from "./dice";

/**
 * How money comes and goes for a kind of holder. `when` is a day of the month or the chance of it on any day; what
 * comes monthly keeps its amount. `{number}` stands for an order or invoice, `{name}` for someone.
 */
export type Habit = {
  side: "in" | "out";
  type: (typeof ENTRY_TYPES)[number];
  texts: readonly string[];
  reais: readonly [from: number, to: number];
  when: { dayOfMonth: number } | { chance: number };
};

const monthly = (dayOfMonth: number) => ({ dayOfMonth });
const daily = (chance: number) => ({ chance });

const SHOPS = list("Supermercado, Feira livre, Padaria, Açougue, Hortifrúti, Mercado do bairro, Atacarejo");
const OUTINGS = list(
  "Farmácia, Posto de combustível, Transporte por aplicativo, Restaurante, Pet shop, Cinema, Livraria",
);
const BILLS = list("Conta de luz, Conta de água, Internet fibra, Gás encanado");
const SUPPLIES = list(
  "Fornecedor de insumos, Frete, Embalagens, Material de limpeza, Peças e manutenção, Anúncios, Mercadorias",
);

export const PERSON_HABITS: readonly Habit[] = [
  { side: "in", type: "TED", texts: ["Salário"], reais: [3_200, 9_800], when: monthly(5) },
  { side: "out", type: "PIX", texts: ["Aluguel"], reais: [900, 2_600], when: monthly(10) },
  { side: "out", type: "PIX", texts: BILLS, reais: [70, 260], when: monthly(12) },
  {
    side: "out",
    type: "PIX",
    texts: ["Plano de saúde", "Mensalidade escolar", "Academia"],
    reais: [110, 780],
    when: monthly(16),
  },
  { side: "out", type: "PIX", texts: SHOPS, reais: [15, 320], when: daily(0.3) },
  { side: "out", type: "PIX", texts: OUTINGS, reais: [12, 160], when: daily(0.2) },
  { side: "in", type: "PIX", texts: ["PIX recebido de {name}"], reais: [20, 450], when: daily(0.09) },
  { side: "out", type: "PIX", texts: ["PIX enviado para {name}"], reais: [20, 380], when: daily(0.07) },
  {
    side: "out",
    type: "TED",
    texts: ["TED para poupança", "TED para corretora"],
    reais: [200, 1_500],
    when: daily(0.012),
  },
];

export const COMPANY_HABITS: readonly Habit[] = [
  { side: "out", type: "FEE", texts: ["Tarifa de manutenção da conta PJ"], reais: [39, 39], when: monthly(1) },
  { side: "out", type: "TED", texts: ["Folha de pagamento"], reais: [6_000, 18_000], when: monthly(5) },
  { side: "out", type: "PIX", texts: ["Aluguel do ponto comercial"], reais: [2_500, 7_000], when: monthly(10) },
  { side: "out", type: "PIX", texts: ["DAS Simples Nacional"], reais: [800, 3_200], when: monthly(20) },
  {
    side: "in",
    type: "PIX",
    texts: ["Venda pedido {number}", "Venda balcão {number}"],
    reais: [40, 900],
    when: daily(0.8),
  },
  { side: "in", type: "PIX", texts: ["Venda on-line {number}"], reais: [60, 1_200], when: daily(0.5) },
  { side: "in", type: "TED", texts: ["Recebimento NF {number}"], reais: [1_500, 12_000], when: daily(0.09) },
  { side: "out", type: "PIX", texts: SUPPLIES, reais: [120, 2_400], when: daily(0.35) },
  { side: "out", type: "TED", texts: ["Fornecedor NF {number}"], reais: [900, 6_000], when: daily(0.06) },
];
