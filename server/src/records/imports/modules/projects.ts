import type { Context } from '../../../kit/ground/context.ts'
import { sql } from '../../../kit/ground/sql.ts'
import { computed, integer, internal, list, text } from '../../../kit/record/fields.ts'
import type { Row } from '../../../kit/record/record.ts'
import { checkBody } from '../../../kit/record/validate.ts'
import { scope } from '../../../kit/record/scope.ts'
import { createProject } from '../../projects/create.ts'
import { cascade } from '../../projects/cascade.ts'
import type { ProjectInput } from '../../projects/input.ts'
import { projectUpdate } from '../../projects/input.ts'
import { Deal, Project } from '../../../model/projects/project.ts'
import { pipelinesOf } from '../../../model/projects/pipelines/cached.ts'
import { followReturn } from '../../projects/move.ts'
import { updateProject } from '../../projects/update.ts'
import { remove } from '../../../kit/write/write.ts'
import { foldedText } from '../importable.ts'
import type { Body, ExportColumn, SingleImportable } from '../importable.ts'
import { cellOf } from '../../../model/sheets/csv.ts'
import { partColumn as part } from '../columns.ts'
import type { Headers } from '../../../model/sheets/header.ts'
import {
  accountWords,
  companyWords,
  descriptionWords,
  dueWords,
  nameWords,
  ownerWords,
  privateWords,
  startWords,
  statusWords,
  tagWords,
} from '../../../model/sheets/header.ts'
import { accountByName, companyShown, holidaysById, personOf } from './links.ts'

const pipeline_name = internal(
  computed(
    text(255),
    `(select p.pipeline_name from pipelines p
    where p.organization_id = $organization and p.id = t.pipeline_id)`,
  ),
)

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
    'number|deal number|project number|projektnummer|nummer|auftragsnummer|numéro|número|numero|record id|deal id|external id',
}

export const importDeals = projects('deal', {
  ...common,
  project_name: `deal name|deal|deal title|opportunity|opportunity name|deal - title|deal - name|geschäft|name des deals|dealname|verkaufschance|opportunity-name|chance|affaire|nom de l’affaire|transaction|nom de la transaction|nom de la vente|opportunité|nom de l’opportunité|negocio|nombre del negocio|trato|nombre del trato|oportunidad|nombre de oportunidad|trattativa|nome trattativa|opportunità|nome opportunità|affare|negócio|nome do negócio|oportunidade|nome da oportunidade|dealnaam|verkoopkans|potential name|topic|thema|${nameWords}`,
  expected_deal_value:
    'amount|deal value|value|expected deal value|estimated value|est. revenue|est revenue|deal - value|deal amount|betrag|wert|volumen|auftragswert|dealwert|auftragsvolumen|erwarteter wert|geschätzter umsatz|umsatz|montant|valeur|montant de la transaction|montant de l’affaire|valeur de l’affaire|importe|valor|valor del negocio|monto|cantidad|importo|valore|valore della trattativa|montante|valor do negócio|bedrag|waarde|dealwaarde|expected revenue|actual revenue',
  revenue: 'revenue|closed revenue|erlös|revenu|ingresos|ricavo|receita|opbrengst',
  expected_onboarding_fee:
    'onboarding fee|setup fee|einrichtungsgebühr|frais de mise en service|cuota de alta|costo di attivazione|taxa de implantação|opstartkosten',
  stage_id:
    'stage|deal stage|sales stage|phase|deal-phase|dealphase|verkaufsphase|stufe|étape|étape de la transaction|phase de l’affaire|etapa|etapa del negocio|fase|fase della trattativa|stadio|etapa do negócio|estágio|dealfase|fase van deal|status|pipeline stage|sales process stage',
  pipeline_id:
    'pipeline|deal pipeline|vertriebspipeline|pipeline de ventes|embudo|funil|verkooppijplijn',
  lost_reason:
    'lost reason|closed lost reason|verlustgrund|grund für verlust|ablehnungsgrund|motif de perte|raison de la perte|motivo de pérdida|motivo di perdita|motivo perdita|motivo da perda|reden van verlies|loss reason',
  due_date: `close date|closing date|expected close date|est. close date|estimated close date|deal - expected close date|abschlussdatum|erwartetes abschlussdatum|voraussichtlicher abschluss|schlusstermin|date de clôture|date de fermeture|date de clôture prévue|fecha de cierre|fecha de cierre prevista|fecha estimada de cierre|data di chiusura|data chiusura|data chiusura prevista|data de fechamento|data de fecho|data prevista de fechamento|sluitdatum|verwachte sluitdatum|${dueWords}`,
  is_arr:
    'is arr|arr|recurring|wiederkehrend|récurrent|recurrente|ricorrente|recorrente|terugkerend',
})

export const importProjects = projects('project', {
  ...common,
  project_name: `project name|project|projekt|projektname|projekttitel|projet|nom du projet|proyecto|nombre del proyecto|progetto|nome progetto|nome del progetto|projeto|nome do projeto|projectnaam|${nameWords}`,
  status: `${statusWords}|project status|projektstatus`,
  due_date: dueWords,
  forecasted_date:
    'forecasted date|forecast|prognose|date prévisionnelle|fecha prevista|data prevista|prognosedatum',
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
      project_team: list(),
      template_id: text(255),
      position: integer(),
    },
    links: { account_id: accountByName, holidays_id: holidaysById },
    without: ['project_type', 'converted_from'],
    keys: [],
    prepare: withPeople,
    names: () => [],
    isRepeatable: true,
    async find(ctx, body) {
      const name = foldedText(body.project_name)
      const number = body.display_id ?? null
      const account = typeof body.account_id === 'string' ? body.account_id : null
      const found = await ctx.one<{ id: string }>(sql`select t.id from projects t
        where ${scope(ctx, record, 'read')} and t.project_type = ${type}
          and (t.display_id = ${number}::text or (${number}::text is null or t.display_id is null)
            and t.project_name_key = ${name}
            and (${account}::text is null or t.account_id = ${account}))
        order by t.display_id is distinct from ${number}::text, t.id limit 1`)
      return found?.id
    },
    async create(ctx, body) {
      const input = { ...body, project_type: type } as ProjectInput
      checkBody(projectUpdate, input)
      return createProject(ctx, await withPlace(ctx, input))
    },
    async update(ctx, id, body) {
      const { template_id: _template, ...rest } = body
      return updateProject(ctx, id, await withPlace(ctx, rest as ProjectInput))
    },
    async remove(ctx, id) {
      await remove(ctx, record, id)
      await cascade(ctx, 'project_id', id, { from: null, to: ctx.now().toISOString() })
    },
    afterUndo: (ctx, written, before) => followReturn(ctx, written, before as Row<typeof Deal>),
    headers,
    exported: { ...record, fields: { ...record.fields, company_id: companyShown, pipeline_name } },
    columns: type === 'deal' ? [...dealColumns, ...columns] : columns,
  }
}

/** The team by e-mail, as a body names it. */
function withPeople(body: Body): Body {
  const { project_team: team } = body
  return Array.isArray(team) ? { ...body, project_team: team.map(personOf) } : body
}

/** A stage or pipeline by its name in any case, which a body has to write as it is. */
async function withPlace(ctx: Context, body: ProjectInput): Promise<ProjectInput> {
  const { stage_id, pipeline_id } = body
  if (!stage_id && !pipeline_id) return body
  const all = await pipelinesOf(ctx)
  const same = (word: unknown, names: string[]) =>
    names.some((name) => name.toLowerCase() === foldedText(word))
  const pipeline = all.find((each) => same(pipeline_id, [each.pipeline_name, each.pipeline_id]))
  const stages = (pipeline ? [pipeline] : all).flatMap((each) => each.stages)
  const stage = stages.find((each) =>
    same(stage_id, [each.stage_name, each.stage_key, each.stage_id]),
  )
  return {
    ...body,
    ...(pipeline ? { pipeline_id: pipeline.pipeline_id } : {}),
    ...(stage ? { stage_id: stage.stage_id } : {}),
  }
}
