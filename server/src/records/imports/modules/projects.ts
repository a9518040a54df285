import { isId } from '../../../kit/ground/ids.ts'
import type { Context } from '../../../kit/ground/context.ts'
import { integer, list, text, timestamp } from '../../../kit/record/fields.ts'
import type { Row } from '../../../kit/record/record.ts'
import { checkBody } from '../../../kit/record/validate.ts'
import { createProject } from '../../projects/create.ts'
import { cascade } from '../../projects/cascade.ts'
import type { ProjectInput } from '../../projects/input.ts'
import { projectUpdate } from '../../projects/input.ts'
import { Deal, Project } from '../../../model/projects/project.ts'
import type { Stage } from '../../../model/projects/pipelines/cached.ts'
import { pipelinesOf } from '../../../model/projects/pipelines/cached.ts'
import type { History } from '../../../model/time/history.ts'
import { followReturn } from '../../projects/move.ts'
import { updateProject } from '../../projects/update.ts'
import { remove } from '../../../kit/write/write.ts'
import { knownStatus } from '../../../model/statuses/status.ts'
import { fittingProjects } from '../fitting.ts'
import { historyOf, withoutHistory, writerOf } from '../history.ts'
import { lowered } from '../importable.ts'
import { isPersonColumn, outcomeOf } from '../words.ts'
import type { Body, ExportColumn, SingleImportable } from '../importable.ts'
import { cellOf } from '../../../model/sheets/csv.ts'
import { partColumn as part } from '../columns.ts'
import type { Headers } from '../../../model/sheets/header.ts'
import {
  accountWords,
  companyWords,
  completedWords,
  createdWords,
  currencyWords,
  descriptionWords,
  dueWords,
  modifiedWords,
  nameWords,
  ownerWords,
  privateWords,
  startWords,
  statusWords,
  tagWords,
} from '../../../model/sheets/header.ts'
import { accountByName, companyShown, contactByName, holidaysById, personOf } from './links.ts'

const pipeline_name = text(255, {
  nullable: true,
  audience: 'internal',
  expression: `(select p.pipeline_name from pipelines p
    where p.organization_id = $organization and p.id = t.pipeline_id)`,
})

const columns: ExportColumn[] = [
  part('account_id.account_name', 'account', 'account_name'),
  part('status', 'status', 'status_name'),
  part('customer.email', 'customer_project_owner', 'email'),
  {
    name: 'project_team',
    field: 'project_team',
    text: (row) => cellOf((row.project_team as { email: string }[]).map(({ email }) => email)),
  },
]

const dealColumns: ExportColumn[] = [
  part('stage_id', 'current_pipe_stage', 'stage_name'),
  { name: 'pipeline_id', field: 'pipeline_name', text: (row) => cellOf(row.pipeline_name) },
  { name: 'lost_reason', field: 'lost_reason', text: (row) => cellOf(row.lost_reason) },
]

const common: Headers = {
  'custom_fields.created_on': createdWords,
  modified_at: modifiedWords,
  description: descriptionWords,
  start_date: startWords,
  'project_owner.email': ownerWords,
  'project_manager.email':
    'project manager|projektleiter|projektleitung|projektmanager|chef de projet|jefe de proyecto|director de proyecto|capo progetto|responsabile di progetto|gerente de projeto|gestor de projeto|projectleider|projectmanager',
  project_team:
    'team|project team|projektteam|équipe|équipe projet|equipo|team di progetto|equipe|projectteam',
  'account_id.account_name': accountWords,
  'company_id.company_name': companyWords,
  'company_id.domain': 'domain|company domain|domaine|dominio|domínio|domein',
  'customer.email':
    'contact email|customer email|e-mail|email|kontakt e-mail|e-mail ansprechpartner|email du contact|correo del contacto|email contatto|email do contato|e-mail contactpersoon|associated contact emails',
  hourly_rate:
    'hourly rate|stundensatz|taux horaire|tarifa por hora|tariffa oraria|valor por hora|uurtarief',
  monthly_rate:
    'monthly rate|monatssatz|tarif mensuel|tarifa mensual|tariffa mensile|valor mensal|maandtarief',
  project_fee: 'fee|project fee|honorar|honoraires|honorarios|onorario|honorário|honorarium',
  billing_model:
    'billing model|abrechnungsmodell|modèle de facturation|modelo de facturación|modello di fatturazione|modelo de cobrança|factureringsmodel',
  billing_frequency:
    'billing frequency|abrechnungsrhythmus|fréquence de facturation|frecuencia de facturación|frequenza di fatturazione|frequência de cobrança|factureringsfrequentie',
  contract_duration:
    'contract duration|laufzeit|vertragslaufzeit|durée du contrat|duración del contrato|durata del contratto|duração do contrato|contractduur|term',
  is_private: privateWords,
  tags: tagWords,
  display_id:
    'number|pipedrive system id|deal number|project number|projektnummer|nummer|auftragsnummer|numéro|número|numero|record id|datensatz-id|deal id|external id|id|opportunity id|potential id|project id|hs object id|dealid',
}

export const importDeals = projects('deal', {
  ...common,
  project_name: `deal name|dealname|deal|deal title|opportunity|opportunity name|deal - title|deal - name|geschäft|name des deals|verkaufschance|opportunity-name|chance|affaire|nom de l’affaire|transaction|nom de la transaction|nom de la vente|opportunité|nom de l’opportunité|negocio|nombre del negocio|trato|nombre del trato|oportunidad|nombre de oportunidad|trattativa|nome trattativa|opportunità|nome opportunità|affare|negócio|nome do negócio|oportunidade|nome da oportunidade|dealnaam|verkoopkans|potential name|topic|thema|${nameWords}`,
  expected_deal_value:
    'amount|deal value|value|expected deal value|estimated value|est. revenue|est revenue|deal - value|deal amount|betrag|wert|volumen|auftragswert|dealwert|auftragsvolumen|erwarteter wert|geschätzter umsatz|umsatz|montant|valeur|montant de la transaction|montant de l’affaire|valeur de l’affaire|importe|valor|valor del negocio|monto|cantidad|importo|valore|valore della trattativa|montante|valor do negócio|bedrag|waarde|dealwaarde|expected revenue|actual revenue|opportunity amount|total|total amount|sum|deal total|acv|tcv|arr|contract value|deal value amount|gesamtbetrag|summe|auftragssumme|montant total|importe total|valor total|importo totale|totaalbedrag',
  revenue: 'revenue|closed revenue|erlös|revenu|ingresos|ricavo|receita|opbrengst',
  expected_onboarding_fee:
    'onboarding fee|setup fee|einrichtungsgebühr|frais de mise en service|cuota de alta|costo di attivazione|taxa de implantação|opstartkosten',
  stage_id:
    'stage|deal stage|dealstage|stage name|stagename|sales stage|phase|deal-phase|dealphase|verkaufsphase|stufe|étape|étape de la transaction|phase de l’affaire|etapa|etapa del negocio|fase|fase della trattativa|stadio|etapa do negócio|estágio|dealfase|fase van deal|status|pipeline stage|sales process stage',
  pipeline_id:
    'pipeline|deal pipeline|vertriebspipeline|pipeline de ventes|embudo|funil|verkooppijplijn',
  lost_reason:
    'lost reason|closed lost reason|verlustgrund|grund für verlust|ablehnungsgrund|motif de perte|raison de la perte|motivo de pérdida|motivo di perdita|motivo perdita|motivo da perda|reden van verlies|loss reason|reason for loss|reason lost|grund für verlorenen abschluss|grund für den verlust|raison de perte|razón de pérdida|motivo de cierre perdido|verliesreden',
  closed_at:
    'won time|lost time|close time|closed time|closed at|closed on|closed date|actual close date|actual closing date|date closed|won date|lost date|won on|lost on|won at|lost at|fecha de ganado|hora de ganado|hora de perdido|heure de gain|heure de perte|ora di vincita|ora di perdita|hora de ganho|hora de perda|tijd gewonnen|tijd verloren|date won|date lost|gewonnen am|verloren am|geschlossen am|tatsächliches abschlussdatum|zeitpunkt gewonnen|zeitpunkt verloren|gewonnen um|verloren um|date de gain|date de perte|gagné le|perdu le|clôturé le|fecha de ganado|fecha de perdido|ganado el|perdido el|cerrado el|vinta il|persa il|chiuso il|data de ganho|data de perda|ganho em|perdido em|fechado em|gewonnen op|verloren op|gesloten op|datum gewonnen|datum verloren',
  forecasted_date: `close date|closing date|expected close date|est. close date|estimated close date|deal - expected close date|abschlussdatum|erwartetes abschlussdatum|voraussichtlicher abschluss|schlusstermin|date de clôture|date de fermeture|date de clôture prévue|fecha de cierre|fecha de cierre prevista|fecha estimada de cierre|data di chiusura|data chiusura|data chiusura prevista|data de fechamento|data de fecho|data prevista de fechamento|sluitdatum|verwachte sluitdatum|closedate|expected closing date|expected closedate|expected close|closes on|deal close date|schließungsdatum|voraussichtliches abschlussdatum|erwarteter abschluss|date de clôture estimée|fecha de cierre esperada|fecha prevista de cierre|data di chiusura prevista|data prevista de fecho|data de fechamento prevista|data de fechamento esperada|verwachte afsluitdatum|afsluitdatum`,
  due_date: dueWords,
  outcome:
    'deal status|opportunity status|won lost|result|outcome|status|ergebnis|deal-status|statut de l’affaire|statut|résultat|estado del trato|estado|resultado|stato dell’affare|stato|risultato|status do negócio|dealstatus|resultaat',
  currency_unit: currencyWords,
  'customer.full_name':
    'contact|contact name|contact person|associated contact|primary contact|associated contacts|primary contact name|person|kontakt|kontaktperson|ansprechpartner|zugeordneter kontakt|contact associé|contact principal|personne à contacter|contacto|persona de contacto|contacto asociado|contatto|persona di contatto|referente|contatto associato|contato|pessoa de contato|contato associado|contactpersoon|gekoppeld contact',
  is_arr:
    'is arr|arr|recurring|wiederkehrend|récurrent|recurrente|ricorrente|recorrente|terugkerend',
})

export const importProjects = projects('project', {
  ...common,
  project_name: `project name|project title|project|projekt|projektname|projekttitel|projet|nom du projet|proyecto|nombre del proyecto|progetto|nome progetto|nome del progetto|projeto|nome do projeto|projectnaam|${nameWords}`,
  status: `${statusWords}|project status|projektstatus`,
  due_date: dueWords,
  completed_at: completedWords,
  forecasted_date:
    'forecasted date|forecast|prognose|date prévisionnelle|fecha prevista|data prevista|prognosedatum',
  currency_unit: currencyWords,
  revenue:
    'revenue|budget|value|projektwert|umsatz|wert|betrag|montant|chiffre d’affaires|presupuesto|importe|ingresos|importo|fatturato|orçamento|receita|valor|omzet|bedrag|amount',
  project_duration: 'duration|dauer|projektdauer|durée|duración|durata|duração|duur',
  holidays_id: 'holidays|holiday set',
})

function projects(type: 'deal' | 'project', headers: Headers): SingleImportable {
  const record = type === 'deal' ? Deal : Project
  return {
    how: 'single',
    record,
    schema: projectUpdate,
    more: {
      status: text(100),
      pipeline_id: text(255),
      stage_id: text(255),
      lost_reason: text(255),
      closed_at: timestamp(),
      completed_at: timestamp(),
      modified_at: timestamp(),
      outcome: text(100),
      currency_unit: text(10),
      project_team: list(),
      template_id: text(255),
      position: integer(),
    },
    links: { account_id: accountByName, holidays_id: holidaysById, customer: contactByName },
    without: ['project_type', 'converted_from'],
    // a deal never falls into the first stage because its own is not known
    keys: ['stage_id'],
    prepare: withPeople,
    names: () => [],
    fitting: (ctx, bodies, mapped) => fittingProjects(ctx, type, bodies, mapped),
    async create(ctx, body, how) {
      const { input, ...when } = await placed(ctx, type, body)
      const { currency_unit = null, ...fields } = input
      checkBody(projectUpdate, fields)
      const by = writerOf(ctx, when, how)
      const more = currency_unit ? { currency_unit } : {}
      return createProject(by, { ...fields, project_type: type }, more, when.history)
    },
    async update(ctx, id, body, how) {
      const { template_id: _template, ...rest } = body
      const { input, ...when } = await placed(ctx, type, rest)
      const { currency_unit: _currency, ...fields } = input
      const by = writerOf(ctx, when, how)
      return updateProject(by, id, fields, undefined, undefined, when.history)
    },
    async remove(ctx, id) {
      await remove(ctx, record, id)
      await cascade(ctx, 'project_id', id, { from: null, to: ctx.now().toISOString() })
    },
    afterUndo: (ctx, written, before) => followReturn(ctx, written, before as Row<typeof Deal>),
    headers,
    prefixes:
      type === 'deal'
        ? [
            'deal',
            'opportunity',
            'geschäft',
            'affaire',
            'negocio',
            'trato',
            'transaction',
            'transacción',
            'transazione',
            'transação',
            'oportunidad',
            'opportunità',
            'oportunidade',
            'opportunité',
            'verkaufschance',
            'verkoopkans',
            'affare',
            'trattativa',
            'negócio',
          ]
        : ['project', 'projekt', 'projet', 'proyecto', 'progetto', 'projeto', 'projecten'],
    several: {
      closed_at: 'first',
      completed_at: 'first',
      modified_at: 'first',
      description: 'join',
    },
    fits: {
      'project_owner.email': isPersonColumn,
      // a column of customers has accounts, unless it has their people's addresses or ids
      customer: (values) => values.every((each) => each.includes('@') || isId(each)),
      outcome: (values) => type === 'deal' && values.every((each) => outcomeOf(each) !== undefined),
      status: (values) =>
        type === 'project' || !values.every((each) => outcomeOf(each) !== undefined),
    },
    exported: { ...record, fields: { ...record.fields, company_id: companyShown, pipeline_name } },
    columns: type === 'deal' ? [...dealColumns, ...columns] : columns,
  }
}

/** The team by e-mail, as a body names it. */
function withPeople(body: Body): Body {
  const { project_team: team } = body
  return Array.isArray(team) ? { ...body, project_team: team.map(personOf) } : body
}

type Placed = {
  /** whether it is closed or completed after the write */
  isFinished: boolean
  history: History
  input: ProjectInput & { currency_unit?: string | null }
}

/**
 * A row as a body, in the stage that it means, and when it was finished: by its own column, else the day of its closing,
 * else its last change.
 */
async function placed(ctx: Context, type: 'deal' | 'project', row: Body): Promise<Placed> {
  const input = await withPlace(ctx, withoutHistory(row) as ProjectInput)
  if (type === 'project') {
    const { status } = input
    const found = status ? await knownStatus(ctx, 'projects', status) : undefined
    const isFinished = found?.category === 'completed'
    return {
      isFinished,
      history: historyOf(ctx, row, 'completed_at', 'modified_at', 'due_date'),
      input,
    }
  }
  const stages = (await pipelinesOf(ctx)).flatMap((each) => each.stages)
  const stage = stages.find(({ stage_id }) => stage_id === input.stage_id)
  const fields = ['closed_at', 'forecasted_date', 'due_date', 'modified_at']
  const isFinished = stage !== undefined && stage.category !== 'open'
  return { isFinished, history: historyOf(ctx, row, ...fields), input }
}

/**
 * A row in the stage that it means: that of the same name or kind in its pipeline, for a text means a stage of any, and
 * one of the outcome that it names.
 */
async function withPlace(ctx: Context, row: ProjectInput & Body): Promise<ProjectInput> {
  const { outcome: word, ...body } = row
  const { stage_id, pipeline_id } = body
  const outcome = typeof word === 'string' ? outcomeOf(word) : undefined
  const isClosed = outcome === 'won' || outcome === 'lost'
  if (!stage_id && !pipeline_id && !isClosed) return body
  const all = await pipelinesOf(ctx)
  const pipeline = all.find((each) => each.pipeline_id === pipeline_id)
  const named = all.flatMap((each) => each.stages).find((each) => each.stage_id === stage_id)
  const isNamed = (name: string) => (each: Stage) => lowered(each.stage_name) === lowered(name)
  const inside = (pipeline ?? all.find((each) => each.pipeline_id === named?.pipeline_id) ?? all[0])
    ?.stages
  const stage =
    pipeline && named
      ? (inside?.find((each) => each.stage_id === named.stage_id) ??
        inside?.find(isNamed(named.stage_name)) ??
        inside?.find(({ category }) => category !== 'open' && category === named.category))
      : named
  const closed =
    isClosed && stage?.category !== outcome
      ? inside?.find(({ category }) => category === outcome)
      : undefined
  const place = closed ?? stage
  return {
    ...body,
    ...(pipeline ? { pipeline_id: pipeline.pipeline_id } : {}),
    ...(place ? { stage_id: place.stage_id } : {}),
  }
}
