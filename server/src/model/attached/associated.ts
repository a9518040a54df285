import { linkedId, rowsOf } from '../../kit/record/readable.ts'
import { Type } from 'typebox'
import { enumeration, orNull } from '../../kit/ground/json-schema.ts'

/** A deal or project as shown in a company or contact. */
export const associatedProject = {
  project_id: Type.String(),
  project_name: Type.String(),
  project_type: enumeration(['project', 'deal'], { title: 'ProjectType' }),
  account_id: orNull(Type.String()),
  stage_id: orNull(Type.String()),
  expected_deal_value: orNull(Type.Number()),
}

/**
 * The deals and projects of other records, as SQL over the other record's alias `t`: one look-up
 * by index for each row, of those that the reader may read. Hidden and private ones are left out,
 * since they are only for their own people.
 */

const shown = `jsonb_build_object('project_id', p.id, 'project_name', p.project_name,
  'project_type', p.project_type, 'account_id', ${linkedId('accounts', 'p.account_id')}, 'stage_id', p.stage_id,
  'expected_deal_value', p.expected_deal_value)`

// columns by name: each start of a statement prepares every column that a subquery returns, and a
// project has sixty. An array costs less than an aggregate; with both, reading a contact takes a third less.
const columns = `p.id, p.project_name, p.project_type, p.account_id, p.stage_id,
  p.expected_deal_value`

const listed = (rows: string) => `to_jsonb(array(select ${shown} from ${rows}
  order by p.id limit 500))`

const open = 'p.deleted_at is null and p.visible_to_all and not p.is_private'

const ofContact = `${rowsOf('projects')} p where p.organization_id = $organization
  and p.customer_contact = t.id and ${open}`

export const associated = {
  /** deals and projects whose customer is the contact */
  ofContact: listed(ofContact),
  dealsOfContact: listed(`${ofContact} and p.project_type = 'deal'`),
  /** those of the company itself and of its accounts; each branch has its own index */
  ofCompany: listed(`(
    select ${columns} from ${rowsOf('projects')} p where p.organization_id = $organization
      and p.company_id = t.id and ${open}
    union all
    select ${columns} from ${rowsOf('accounts')} a
    cross join lateral (select ${columns} from ${rowsOf('projects')} p where p.organization_id = $organization
      and p.account_id = a.id and p.company_id is distinct from t.id and ${open} offset 0) p
    where a.organization_id = $organization and a.company_id = t.id and a.deleted_at is null) p`),
  /** the number that a user owns, manages or is on the team of */
  countOfUser: (type: 'project' | 'deal') => `(select count(*)::integer from (
    select p.id from ${rowsOf('projects')} p where p.organization_id = $organization
      and p.project_owner = t.id and p.project_type = '${type}' and p.deleted_at is null
    union
    select p.id from ${rowsOf('projects')} p where p.organization_id = $organization
      and p.project_manager = t.id and p.project_type = '${type}' and p.deleted_at is null
    union
    select m.project_id from project_members m
    cross join lateral (select from ${rowsOf('projects')} p where p.organization_id = $organization
      and p.id = m.project_id and p.project_type = '${type}' and p.deleted_at is null offset 0) p
    where m.organization_id = $organization and m.user_id = t.id) p)`,
  /** the number of open tasks that a user owns */
  tasksOfUser: `(select count(*)::integer from ${rowsOf('tasks')} k where k.organization_id = $organization
    and k.owner = t.id and not k.is_completed and k.deleted_at is null)`,
}
