import { rowsOf } from '../../kit/record/readable.ts'
import { todayHere, zoneHere } from '../time/today.ts'

// Health is 100 minus the points of its inputs. Each input takes a share of its weight, which grows with
// how bad it is, so that a worse input never raises the score. Inputs without a value take none.

/** The number of days after which answers and comments no longer count. */
export const lastingDays = 180

/**
 * The inputs of health over measures `h`: the default weight, the permission
 * module behind it, its value (SQL), how bad that is from 0 to 1 (SQL), and the reason in words (SQL).
 */
export const inputs = {
  overdue_work: {
    weight: 40,
    module: 'tasks',
    unit: 'overdue tasks',
    value: 'h.overdue',
    badness: 'least(1, h.overdue / 8.0)',
    reason: `h.overdue || ' overdue tasks'`,
  },
  silence: {
    weight: 35,
    module: 'activity',
    unit: 'days without any activity',
    value: 'h.quiet',
    badness: 'case when h.quiet > 90 then 1 when h.quiet > 30 then 3 / 7.0 else 0 end',
    reason: `'nothing happened for ' || h.quiet || ' days'`,
  },
  nps: {
    weight: 30,
    module: 'surveys',
    unit: 'the net promoter score, from -100 to 100',
    value: 'h.nps',
    badness: 'coalesce((100 - h.nps) / 200.0, 0)',
    reason: `'the net promoter score is ' || h.nps`,
  },
  csat: {
    weight: 20,
    module: 'surveys',
    unit: 'satisfied answers in per cent',
    value: 'h.csat',
    badness: 'coalesce((100 - h.csat) / 100.0, 0)',
    reason: `h.csat || '% of the ratings are satisfied'`,
  },
  unsigned_documents: {
    weight: 15,
    module: 'documents',
    unit: 'documents that wait for signatures',
    value: 'h.unsigned',
    badness: 'least(1, h.unsigned / 3.0)',
    reason: `h.unsigned || ' documents wait for signatures'`,
  },
  open_risks: {
    weight: 15,
    module: 'tasks',
    unit: 'open tasks marked as a risk',
    value: 'h.risks',
    badness: 'least(1, h.risks / 3.0)',
    reason: `h.risks || ' open risks'`,
  },
  sentiment: {
    weight: 15,
    module: 'surveys',
    // nothing writes it, as long as there is no model that rates texts
    unit: 'the sentiment of answers, comments and feedback, from -1 to 1: needs a model',
    value: 'h.sentiment',
    badness: 'greatest(0, -coalesce(h.sentiment, 0))',
    reason: `'what the customer writes sounds negative'`,
  },
} as const

export type InputName = keyof typeof inputs

export const inputNames = Object.keys(inputs) as InputName[]

/** The points that an input takes, over measures `h` and weights `w`. */
const points = (name: InputName) => `round(w.${name} * ${inputs[name].badness})::integer`

/** The score of measures `h` under weights `w`. */
export const score = `greatest(0, 100 - ${inputNames.map(points).join(' - ')})::integer`

/** The weights of the organization of `t`, as a row. */
export const weights = `(select ${inputNames
  .map((name) => `coalesce(s.${name}, ${inputs[name].weight}) as ${name}`)
  .join(', ')} from (select) one
  left join health_weights s on s.organization_id = $organization)`

/** Measures of people's answers and comments; each person's latest counts. Over rows `x`. */
export const said = {
  nps: `round(100.0 * (count(*) filter (where x.nps >= 9) - count(*) filter (where x.nps <= 6))
    / nullif(count(x.nps), 0))::integer`,
  is_satisfied: `round(100.0 * count(*) filter (where x.is_satisfied)
    / nullif(count(x.is_satisfied), 0))::integer`,
} as const

/** Whole days from a time until now. */
export const daysSince = (time: string) => `extract(day from now() - ${time})::integer`

const its = (alias: string) =>
  `${alias}.organization_id = $organization and ${alias}.account_id = t.id`

const ofAccount = `a.organization_id = $organization and a.subject_module = 8
  and a.subject_id = t.id`

/** The first five links of a group of rows, in the passed order. */
function links(type: string, id: string, name: string, order: string, condition: string): string {
  return `to_jsonb((array_agg(jsonb_build_object('type', ${type}, 'id', ${id}, 'name', ${name})
    order by ${order}) filter (where ${condition}))[1:5])`
}

const isOverdue = `k.due_date < ${todayHere}`

/** Overdue tasks and open risks, in one pass over the open tasks of the account's projects. */
const work = `(select
    count(*) filter (where ${isOverdue})::integer as overdue,
    (min(k.due_date) filter (where ${isOverdue}) + 1)::timestamp at time zone ${zoneHere} as overdue_since,
    ${links(`'task'`, 'k.id', 'k.title', 'k.due_date, k.id', isOverdue)} as overdue_links,
    count(*) filter (where k.is_risk)::integer as risks,
    min(k.last_update_time) filter (where k.is_risk) as risks_since,
    ${links(`'task'`, 'k.id', 'k.title', 'k.last_update_time, k.id', 'k.is_risk')} as risks_links
  from ${rowsOf('projects')} p
  join ${rowsOf('tasks')} k on k.organization_id = $organization and k.project_id = p.id
  where ${its('p')} and p.deleted_at is null and k.deleted_at is null and not k.is_completed
    and (${isOverdue} or k.is_risk))`

/** The latest activity of the account or its projects, and its kind. */
const activity = `(select a.at, case when a.name is not null
      then jsonb_build_array(jsonb_build_object('type', a.type, 'id', a.id, 'name', a.name)) end as links
  from (
    (select e.occurred_at as at, 'account' as type, t.id, t.account_name as name from events e
      where e.organization_id = $organization and e.module_id = 8 and e.reference_id = t.id
      order by e.id desc limit 1)
    union all
    (select p.last_update_time, p.project_type, p.id, p.project_name from ${rowsOf('projects')} p
      where ${its('p')} and p.deleted_at is null order by p.last_update_time desc limit 1)
    union all
    (select l.at, r.type, l.reference_id, r.name from (
        select a.at, a.module_id, a.reference_id, a.organization_id from ${rowsOf('record_activity')} a
        where ${ofAccount} and not a.is_private and a.at <= now() order by a.at desc limit 1) l
      left join lateral (
        select 'survey' as type, s.name from ${rowsOf('surveys')} s
          where l.module_id = 7 and s.organization_id = $organization and s.id = l.reference_id
        union all select 'document', d.document_name from ${rowsOf('documents')} d
          where l.module_id = 6 and d.organization_id = $organization and d.id = l.reference_id
        union all select 'meeting', m.title from ${rowsOf('meetings')} m
          where l.module_id = 11 and m.organization_id = $organization and m.id = l.reference_id
        union all select 'contact', c.full_name from ${rowsOf('contacts')} c
          where l.module_id = 5 and c.organization_id = $organization and c.id = l.reference_id
        union all select p.project_type, p.project_name from ${rowsOf('projects')} p
          where l.module_id in (2, 3) and p.organization_id = $organization
            and p.id = l.reference_id
      ) r on true)
    union all
    select t.creation_time, 'account', t.id, t.account_name
  ) a order by a.at desc limit 1)`

/** The latest answers of the account's people for one of the scores, with their surveys. */
function lastSaid(column: keyof typeof said, worst: string): string {
  return `(select ${said[column]} as value, max(x.at) as since,
      ${links(`'survey'`, 's.id', 's.name', `${worst}, x.at desc`, 's.id is not null')} as links
    from (
      select distinct on (coalesce(a.contact_id, a.id)) a.*
      from ${rowsOf('record_activity')} a
      where ${ofAccount} and not a.is_private and a.${column} is not null
        and a.at > now() - interval '${lastingDays} days'
      order by coalesce(a.contact_id, a.id), a.at desc
    ) x
    left join ${rowsOf('surveys')} s on s.organization_id = $organization
      and x.module_id = 7 and s.id = x.reference_id
    where x.kind <> 'answer' or s.deleted_at is null and s.id is not null)`
}

const waiting = `d.organization_id = $organization and d.signature_status in ('pending', 'partial')
  and d.latest_version and d.deleted_at is null`

// each branch uses the index of pending documents; an OR would read all of them
const unsigned = `(select count(*)::integer as value,
    min((select q.creation_time from signature_requests q
      where q.organization_id = $organization and q.id = d.signature_request)) as since,
    ${links(`'document'`, 'd.id', 'd.document_name', 'd.id', 'true')} as links
  from (
    select d.organization_id, d.id, d.document_name, d.signature_request
    from ${rowsOf('documents')} d where ${waiting} and d.account_id = t.id
    union
    select d.organization_id, d.id, d.document_name, d.signature_request
    from ${rowsOf('documents')} d
    join ${rowsOf('projects')} p on p.organization_id = $organization and p.id = d.project_id
    where ${waiting} and ${its('p')} and p.deleted_at is null
  ) d)`

/** All measures of one account, with the records that they link to: rows over `t`. */
const measures = `(select work.overdue, work.overdue_since, work.overdue_links,
    work.risks as risks, work.risks_since, work.risks_links,
    ${daysSince('activity.at')} as quiet, activity.at as quiet_since, activity.links as quiet_links,
    nps.value as nps, nps.since as nps_since, nps.links as nps_links,
    csat.value as csat, csat.since as csat_since, csat.links as csat_links,
    unsigned.value as unsigned, unsigned.since as unsigned_since, unsigned.links as unsigned_links,
    null::numeric as sentiment, null::timestamptz as sentiment_since, null::jsonb as sentiment_links
  from ${work} work, ${activity} activity, ${lastSaid('nps', 'x.nps')} nps,
    ${lastSaid('is_satisfied', 'x.is_satisfied')} csat, ${unsigned} unsigned)`

const timeOf = (column: string) =>
  `to_char(h.${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

function shown(name: InputName): string {
  const { value, unit } = inputs[name]
  const column = value.slice(2)
  return `jsonb_build_object('input', '${name}', 'value', ${value}, 'unit', '${unit}',
    'weight', w.${name}, 'points', ${points(name)}, 'since', ${timeOf(`${column}_since`)},
    'links', coalesce(h.${column}_links, '[]'))`
}

/** The value, weight and points of each input, as stored for a day: without names. */
const stored = `jsonb_build_object(${inputNames
  .map(
    (name) => `'${name}', jsonb_build_object('value', ${inputs[name].value}, 'weight', w.${name},
    'points', ${points(name)})`,
  )
  .join(', ')})`

/**
 * The health of the account `t`: `score`, `reasons`, `inputs` with their links, and `stored`,
 * the inputs without names. One row.
 */
export const health = `select ${score} as score,
    to_jsonb(array_remove(array[${inputNames
      .map((name) => `case when ${points(name)} > 0 then ${inputs[name].reason} end`)
      .join(', ')}], null)) as reasons,
    jsonb_build_array(${inputNames.map(shown).join(', ')}) as inputs,
    ${stored} as stored
  from (select * from ${measures} m offset 0) h, ${weights} w`

/**
 * The same as of an earlier time, computed from what is stored now: by `clock.at`, an instant in a row
 * joined to the account. One statement for all times is planned only once.
 */
export const healthByClock = health.replaceAll('now()', 'clock.at')
