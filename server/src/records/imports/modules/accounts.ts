import type { Draft, Patch } from '../../../kit/record/record.ts'
import { sql } from '../../../kit/ground/sql.ts'
import { scope } from '../../../kit/record/scope.ts'
import { insert, lock, remove, update } from '../../../kit/write/write.ts'
import { Account } from '../../../model/accounts/account.ts'
import { accounts } from '../../accounts/operations.ts'
import { lowered } from '../importable.ts'
import type { SingleImportable } from '../importable.ts'
import { asStored } from '../stored.ts'
import { companyShown } from './links.ts'
import {
  accountWords,
  companyWords,
  descriptionWords,
  nameWords,
  ownerWords,
  tagWords,
} from '../../../model/sheets/header.ts'

// a value that is computed unless somebody sets it would become a set value by an import
const stored = asStored(Account, ['health_score', 'total_revenue', 'currency_unit', 'insight'])

export const importAccounts: SingleImportable = {
  how: 'single',
  record: Account,
  exported: {
    ...stored,
    fields: { ...stored.fields, company_id: companyShown },
  },
  schema: { ...accounts.update.input.body, required: [] },
  more: {},
  keys: [],
  prepare: (body) => body,
  names: ({ account_name }) => [lowered(account_name) ?? []].flat(),
  async find(ctx, body) {
    const name = lowered(body.account_name)
    if (!name) return undefined
    const found = await ctx.one<{ id: string }>(sql`select t.id from accounts t
      where ${scope(ctx, Account, 'read')} and t.account_name_key = ${name} order by t.id limit 1`)
    return found?.id
  },
  create: (ctx, body) => insert(ctx, Account, body as Draft<typeof Account>),
  update: async (ctx, id, body) =>
    update(ctx, await lock(ctx, Account, id, 'update'), body as Patch<typeof Account>),
  remove: (ctx, id) => remove(ctx, Account, id),
  headers: {
    account_name: `${accountWords}|${nameWords}|${companyWords}`,
    description: descriptionWords,
    'account_owner.email': `account owner|kontoinhaber|kundenbetreuer|propriétaire du compte|propietario de la cuenta|proprietario dell’account|proprietário da conta|accounteigenaar|${ownerWords}`,
    'company_id.company_name':
      'linked company|company|firma|unternehmen|société|entreprise|empresa|azienda|bedrijf',
    'company_id.domain': 'domain|company domain|domaine|dominio|domínio|domein',
    'customer.email':
      'contact email|customer email|kontakt e-mail|e-mail ansprechpartner|email du contact|correo del contacto|email contatto|email do contato|e-mail contactpersoon',
    total_revenue:
      'revenue|total revenue|annual revenue|umsatz|gesamtumsatz|jahresumsatz|chiffre d’affaires|ca|ingresos|facturación|fatturato|ricavi|receita|faturamento|omzet',
    currency_unit: 'currency|währung|devise|monnaie|moneda|divisa|valuta|moeda|munt',
    health_score:
      'health|health score|gesundheit|score de santé|puntuación de salud|punteggio di salute|pontuação de saúde|gezondheidsscore',
    vertical: 'vertical|industry|branche|secteur|sector|settore|setor|bedrijfstak',
    segment: 'segment|segmento|kundensegment|klantsegment',
    region: 'region|gebiet|région|región|regione|região|regio|territory|vertriebsgebiet',
    website_url: 'website|webseite|homepage|url|site web|sitio web|sito web|site|webadresse',
    is_favourite: 'favourite|favorite|favorit|favori|favorito|preferito|favoriet',
    is_internal_account: 'internal|intern|interne|interno',
    tags: tagWords,
  },
}
