import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { forbidden } from '../../kit/ground/errors.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { announce } from '../../kit/write/announce.ts'
import { requireAdmin } from '../../model/users/guards.ts'
import { measureAccounts } from './days.ts'
import type { InputName } from '../../model/health/inputs.ts'
import { inputNames, inputs } from '../../model/health/inputs.ts'

const weight = (name: InputName) =>
  Type.Integer({
    minimum: 0,
    maximum: 100,
    description: `maximum points for ${inputs[name].unit} (${inputs[name].weight})`,
  })

const weightsSchema = Type.Object(
  {
    overdue_work: weight('overdue_work'),
    silence: weight('silence'),
    nps: weight('nps'),
    csat: weight('csat'),
    unsigned_documents: weight('unsigned_documents'),
    open_risks: weight('open_risks'),
    sentiment: weight('sentiment'),
  },
  { title: 'HealthWeights' },
)
type Weights = Static<typeof weightsSchema>

/** The weight of each input of health in the organization. */
export const healthWeights = {
  read: operation({
    name: 'read_health_weights',
    summary: 'Retrieve the weights of health',
    description:
      'The score of an account is 100 minus the points of its inputs, each at most its weight.',
    topic: 'organization',
    can: { module: 'accounts', action: 'read' },
    writes: false,
    input: {},
    output: weightsSchema,
    run(ctx) {
      refuseCustomers(ctx)
      return readWeights(ctx)
    },
  }),
  update: operation({
    name: 'update_health_weights',
    summary: 'Change the weights of health',
    description:
      'For admins. Weights that are left out stay; 0 ignores an input. Scores change at once; those of past days stay.',
    topic: 'organization',
    can: { module: 'roles', action: 'update' },
    writes: true,
    input: { body: Type.Partial(weightsSchema, { additionalProperties: false }) },
    output: weightsSchema,
    async run(ctx, { body }) {
      await requireAdmin(ctx, 'Only admins change the weights of health')
      return updateWeights(ctx, body)
    },
  }),
}

/**
 * 403 for customers and partners, also those who read internal fields: stored scores are
 * computed from everything that the team has, not from what is shared with them.
 */
export function refuseCustomers({ actor }: Context): void {
  if (actor.is_external) throw forbidden('Customers and partners may not read health')
}

async function readWeights(ctx: Context, locks = false): Promise<Weights> {
  const columns = inputNames.map((name) => sql.ref(`t.${name}`))
  const stored = await ctx.one<Weights>(sql`select ${sql.join(columns)} from health_weights t
    where ${mine(ctx)} ${locks ? sql`for update` : sql``}`)
  return stored ?? usualWeights
}

const usualWeights: Weights = {
  overdue_work: inputs.overdue_work.weight,
  silence: inputs.silence.weight,
  nps: inputs.nps.weight,
  csat: inputs.csat.weight,
  unsigned_documents: inputs.unsigned_documents.weight,
  open_risks: inputs.open_risks.weight,
  sentiment: inputs.sentiment.weight,
}

async function updateWeights(ctx: Context, body: Partial<Weights>): Promise<Weights> {
  const before = await readWeights(ctx, true)
  const after = { ...before, ...body }
  const changes = inputNames.flatMap((field) =>
    before[field] === after[field] ? [] : [{ field, from: before[field], to: after[field] }],
  )
  if (!changes.length) return before
  const columns = inputNames.map((name) => sql.ref(name))
  const values = inputNames.map((name) => sql`${after[name]}`)
  const set = inputNames.map((name) => sql`${sql.ref(name)} = ${after[name]}`)
  const now = ctx.now().toISOString()
  await ctx.run(sql`
    insert into health_weights (organization_id, ${sql.join(columns)}, last_update_time)
    values (${ctx.organization.id}, ${sql.join(values)}, ${now})
    on conflict (organization_id) do update set ${sql.join(set)}, last_update_time = ${now}`)
  await announce(ctx, { module: 'accounts', word: 'account', number: 8 }, 'updated', {
    id: null,
    title: 'Weights of health changed',
    name: 'the weights of health',
    changes,
  })
  ctx.enqueue(measureAccounts, { changed_at: now }, { as: 'service' })
  return after
}
