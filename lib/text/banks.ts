/** COMPE code, ISPB and name of participants of the STR, as the Banco Central lists them; both keep their leading zeros. */
const TABLE = `
001 00000000 Banco do Brasil S.A.
003 04902979 Banco da Amazônia S.A.
004 07237373 Banco do Nordeste do Brasil S.A.
007 33657248 BNDES
010 81723108 Credicoamo
021 28127603 Banestes
025 03323840 Banco Alfa S.A.
033 90400888 Banco Santander (Brasil) S.A.
036 06271464 Banco Bradesco BBI S.A.
037 04913711 Banpará · Banco do Estado do Pará S.A.
041 92702067 Banrisul · Banco do Estado do Rio Grande do Sul S.A.
047 13009717 Banese · Banco do Estado de Sergipe S.A.
063 04184779 Banco Bradescard S.A.
069 61033106 Banco Crefisa S.A.
070 00000208 BRB · Banco de Brasília S.A.
074 03017677 Banco J. Safra S.A.
077 00416968 Banco Inter S.A.
082 07679404 Banco Topázio S.A.
083 10690848 Banco da China Brasil S.A.
085 05463212 Ailos · Cooperativa Central de Crédito
104 00360305 Caixa Econômica Federal
107 15114366 Banco Bocom BBM S.A.
121 10664513 Banco Agibank S.A.
125 45246410 Banco Genial S.A.
133 10398952 Cresol Confederação
136 00315557 Unicred do Brasil
197 16501555 Stone Instituição de Pagamento S.A.
208 30306294 Banco BTG Pactual S.A.
212 92894922 Banco Original S.A.
213 54403563 Banco Arbi S.A.
217 91884981 Banco John Deere S.A.
218 71027866 Banco BS2 S.A.
222 75647891 Banco Crédit Agricole Brasil S.A.
224 58616418 Banco Fibra S.A.
237 60746948 Banco Bradesco S.A.
246 28195667 Banco ABC Brasil S.A.
254 14388334 Paraná Banco S.A.
260 18236120 Nubank · Nu Pagamentos S.A.
265 33644196 Banco Fator S.A.
290 08561701 PagBank · PagSeguro Internet S.A.
301 13370835 Dock Instituição de Pagamento S.A.
318 61186680 Banco BMG S.A.
323 10573521 Mercado Pago Instituição de Pagamento Ltda.
329 32402502 QI Sociedade de Crédito Direto S.A.
335 27098060 Banco Digio S.A.
336 31872495 C6 Bank · Banco C6 S.A.
341 60701190 Itaú Unibanco S.A.
348 33264668 Banco XP S.A.
364 09089356 Efí S.A. Instituição de Pagamento
366 61533584 Banco Société Générale Brasil S.A.
370 61088183 Banco Mizuho do Brasil S.A.
376 33172537 BANCO J.P. MORGAN S.A.
380 22896431 PicPay Instituição de Pagamento S.A.
389 17184037 Banco Mercantil do Brasil S.A.
394 07207996 Banco Bradesco Financiamentos S.A.
396 13884775 MagaluPay Instituição de Pagamento S.A.
403 37880206 Cora Sociedade de Crédito, Financiamento e Investimento S.A.
404 37241230 SumUp Sociedade de Crédito Direto S.A.
413 01858774 Banco BV S.A.
422 58160789 Banco Safra S.A.
456 60498557 Banco MUFG Brasil S.A.
461 19540550 Asaas Instituição de Pagamento S.A.
464 60518222 Banco Sumitomo Mitsui Brasileiro S.A.
477 33042953 Citibank N.A.
479 60394079 Banco ItauBank S.A.
487 62331228 Deutsche Bank S.A. Banco Alemão
488 46518205 JPMorgan Chase Bank, National Association
505 32062580 Banco UBS (Brasil) S.A.
509 13935893 Celcoin Instituição de Pagamento S.A.
531 34337707 BMP Sociedade de Crédito Direto S.A.
536 20855875 Neon Pagamentos S.A.
542 18189547 InfinitePay · CloudWalk Instituição de Pagamento Ltda.
604 31895683 Banco Industrial do Brasil S.A.
611 61820817 Banco Paulista S.A.
612 31880826 Banco Guanabara S.A.
613 60850229 Omni Banco S.A.
623 59285411 Banco Pan S.A.
626 61348538 Banco C6 Consignado S.A.
633 68900810 Banco Rendimento S.A.
634 17351180 Tribanco · Banco Triângulo S.A.
637 60889128 Banco Sofisa S.A.
643 62144175 Banco Pine S.A.
655 59588111 Banco Votorantim S.A.
707 62232889 Banco Daycoval S.A.
712 78632767 Ouribank S.A. Banco Múltiplo
741 00517645 Banco Ribeirão Preto S.A.
743 00795423 Banco Semear S.A.
745 33479023 Banco Citibank S.A.
747 01023570 Banco Rabobank International Brasil S.A.
748 01181521 Sicredi · Banco Cooperativo Sicredi S.A.
751 29030467 Scotiabank Brasil S.A. Banco Múltiplo
752 01522368 Banco BNP Paribas Brasil S.A.
755 62073200 Bank of America Merrill Lynch Banco Múltiplo S.A.
756 02038232 Sicoob · Banco Cooperativo Sicoob S.A.
757 02318507 Banco KEB Hana do Brasil S.A.
`;

export type Bank = { code: string; ispb: string; name: string };

export const BANKS: readonly Bank[] = TABLE.trim()
  .split("\n")
  .map((line) => ({ code: line.slice(0, 3), ispb: line.slice(4, 12), name: line.slice(13) }));

/** `341 · Itaú Unibanco S.A.` */
export const bankLabel = ({ code, name }: Bank): string => `${code} · ${name}`;

const plain = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

const isNumber = (text: string) => /^\d+$/.test(text);

/** By ISPB, by code with or without leading zeros, or by words of the name; all of them for an empty text. */
export function banksLike(typed: string): Bank[] {
  const search = plain(typed.trim());
  if (isNumber(search)) {
    const isIt = ({ code, ispb }: Bank) =>
      ispb.startsWith(search) || code.startsWith(search) || code === search.padStart(3, "0");
    const exact = (bank: Bank) => Number(bank.code === search.padStart(3, "0") || bank.ispb === search);
    return BANKS.filter(isIt).toSorted((one, other) => exact(other) - exact(one));
  }
  const words = search.split(/[\s·]+/).filter((word) => word !== "");
  return BANKS.filter((bank) => {
    const name = plain(`${bank.code} ${bank.name}`);
    return words.every((word) => name.includes(word));
  });
}

export const bankOfIspb = (ispb: string): Bank | null => BANKS.find((bank) => bank.ispb === ispb) ?? null;
