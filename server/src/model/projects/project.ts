import type { AnyRecord } from '../../kit/record/record.ts'
import { record } from '../../kit/record/record.ts'
import { Account } from '../accounts/account.ts'
import { Company, companyKeys } from '../companies/company.ts'
import { Contact } from '../contacts/contact.ts'
import { completedSample, status, statusBefore } from '../statuses/status.ts'
import { createdBy, person } from '../people/person.ts'
import { nothing } from '../users/roles/permissions.ts'
import { pipelineNames, pipelinesNamed, stageNames, stagesNamed } from './pipelines/named.ts'
import { dealRights, eitherRights, projectRights } from '../attached/project-rights.ts'
import {
  closedSample,
  customField,
  dealStage,
  milestoneTotals,
  projectAccount,
  projectInsights,
  projectStage,
  recentActivity,
  stageBefore,
  teamMember,
  totals,
} from './shapes.ts'
import { shown, stageFilters } from './shown.ts'
import {
  amount,
  boolean,
  chosenFrom,
  computed,
  computedAlways,
  customFields,
  date,
  defaulted,
  defined,
  filteredAs,
  folded,
  integer,
  internal,
  key,
  list,
  listOf,
  looks,
  namedBy,
  notCopied,
  number,
  object,
  objectOf,
  oneOf,
  optional,
  rank,
  readAs,
  readOnly,
  readOnlyOrNull,
  reference,
  required,
  setElsewhere,
  sharedKeys,
  sharedPart,
  sortedAs,
  tagList,
  tagged,
  text,
  timestamp,
  titled,
  unlisted,
  unshown,
} from '../../kit/record/fields.ts'

// the same fields for both: deals and projects are one resource (specification 2.3)
const fields = {
  id: readOnly(text(25)),
  project_id: key(),
  display_id: notCopied(optional(text(100))),
  project_name: required(folded(text(255), 'project_name_key')),
  description: optional(text()),
  project_type: unshown(defaulted(titled('ProjectType', oneOf('project', 'deal')), 'project')),
  project_type_str: unshown(computedAlways(text(20), shown.project_type_str)),
  start_date: optional(date()),
  due_date: looks('due', optional(date())),
  forecasted_date: looks(
    'due',
    sharedPart(optional(date()), 'case when t.show_forecasted_date then t.forecasted_date end'),
  ),
  show_forecasted_date: defaulted(boolean(), false),
  project_score: internal(computedAlways(defined(integer(), totals.score), shown.project_score)),
  tasks_count: computedAlways(defined(integer(), totals.tasks), shown.tasks_count),
  milestones_count: computedAlways(defined(integer(), totals.milestones), shown.milestones_count),
  phase: optional(object()),
  tags: tagged(readAs(optional(tagList()), tagList(), `coalesce(t.tags, '[]')`)),
  status: readOnlyOrNull(status('projects')),
  project_manager: optional(person()),
  project_owner: looks('owner', optional(person())),
  account_id: optional(
    reference({
      table: 'accounts',
      shows: null,
      to: (): AnyRecord => Account,
      by: {
        account_id: { column: 'id' },
        id: { column: 'id' },
        account_name: {
          column: 'account_name_key',
          fold: (name: string) => name.trim().toLowerCase(),
          name: 'account_name',
        },
      },
    }),
  ),
  account: computed(objectOf(projectAccount, 'ProjectAccount'), shown.account),
  company_id: optional(
    reference({ table: 'companies', shows: null, to: (): AnyRecord => Company, by: companyKeys() }),
  ),
  // the customer's contact: a body names it, or its form, by `customer` or inside `account`
  customer: optional(
    reference(
      {
        table: 'contacts',
        shows: null,
        to: (): AnyRecord => Contact,
        by: {
          contact_id: { column: 'id' },
          id: { column: 'id' },
          email: { column: 'unique_key', fold: (email: string) => email.trim().toLowerCase() },
        },
      },
      'customer_contact',
    ),
  ),
  customer_project_owner: readOnlyOrNull(
    reference(
      {
        table: 'contacts',
        title: 'CustomerContactRef',
        shows: {
          contact_id: { column: 'id', kind: 'text' },
          full_name: { column: 'full_name', kind: 'text' },
          email: { column: 'primary_email', kind: 'text' },
          phone: { column: 'phone', kind: 'text' },
        },
        to: (): AnyRecord => Contact,
        by: {},
      },
      'customer_contact',
    ),
  ),
  is_arr: internal(defaulted(boolean(), false)),
  revenue: internal(optional(amount(number()))),
  other_revenue: internal(readOnlyOrNull(amount(number()))),
  project_fee: internal(optional(amount(number()))),
  expected_deal_value: internal(optional(amount(number()))),
  expected_onboarding_fee: internal(optional(amount(number()))),
  hourly_rate: internal(optional(amount(number()))),
  monthly_rate: internal(optional(amount(number()))),
  calculated_revenue: internal(
    computedAlways(defined(amount(number()), totals.revenue), shown.calculated_revenue),
  ),
  formatted_deal_value: unshown(internal(computed(text(60), shown.formatted_deal_value))),
  formatted_revenue: unshown(internal(computed(text(60), shown.formatted_revenue))),
  formatted_other_revenue: unshown(internal(computed(text(60), shown.formatted_other_revenue))),
  currency_unit: unshown(
    computedAlways(chosenFrom(text(3), 'projects', 'currencies'), shown.currency),
  ),
  billing_model: internal(optional(chosenFrom(text(255), 'projects', 'billing_models'))),
  billing_frequency: internal(optional(chosenFrom(text(255), 'projects', 'billing_frequencies'))),
  contract_duration: internal(optional(integer())),
  deal_resources: internal(optional(integer())),
  project_duration: optional(integer()),
  template_id: unshown(readOnlyOrNull(text(25))),
  template_version: unshown(
    setElsewhere(readOnlyOrNull(integer()), 'is that of the template when the project was made'),
  ),
  template_name: computed(text(255), shown.template_name),
  template_desc: computed(text(), shown.template_desc),
  pipeline_id: unshown(internal(readOnlyOrNull(namedBy(text(25), pipelinesNamed, pipelineNames)))),
  stage_id: looks('status', internal(readOnlyOrNull(namedBy(text(25), stagesNamed, stageNames)))),
  lost_reason: internal(readOnlyOrNull(chosenFrom(text(255), 'projects', 'lost_reasons'))),
  closed_at: internal(readOnlyOrNull(timestamp())),
  completed_at: readOnlyOrNull(timestamp()),
  stages: computedAlways(unlisted(listOf(projectStage, 'ProjectStage')), shown.stages),
  pipeline_stages: internal(
    computedAlways(unlisted(listOf(dealStage, 'DealStage')), shown.pipeline_stages),
  ),
  current_stage: looks(
    'status',
    computed(objectOf(projectStage, 'ProjectStage'), shown.current_stage),
  ),
  current_pipe_stage: looks(
    'status',
    internal(
      filteredAs(
        computed(objectOf(dealStage, 'DealStage'), shown.current_pipe_stage),
        stageFilters,
      ),
    ),
  ),
  current_milestone_id: unshown(
    setElsewhere(readOnlyOrNull(text(25)), 'follows from the milestones and their status'),
  ),
  milestone_status: computedAlways(
    objectOf(milestoneTotals, 'MilestoneTotals'),
    shown.milestone_status,
  ),
  insights: internal(computedAlways(objectOf(projectInsights, 'ProjectInsights'), shown.insights)),
  time_left: looks('days_left', computed(defined(integer(), totals.left), shown.time_left)),
  time_spent: looks('duration', computedAlways(defined(integer(), totals.spent), shown.time_spent)),
  project_team: computedAlways(unlisted(listOf(teamMember, 'TeamMember')), shown.project_team),
  partner_orgs: readOnlyOrNull(unlisted(list({}))),
  visible_to_all: defaulted(boolean(), true),
  is_private: defaulted(boolean(), false),
  is_shared: defaulted(boolean(), false),
  position: unshown(sortedAs(notCopied(optional(integer())), 'rank')),
  rank: rank(),
  external_map: unshown(internal(notCopied(optional(object())))),
  holidays_id: unshown(optional(text(25))),
  converted_from: unshown(
    internal(setElsewhere(readOnlyOrNull(text(25)), 'is set by converting a deal')),
  ),
  invite_type: optional(text(60)),
  object_source: unshown(readOnly(text(40))),
  custom_fields: customFields(`t.project_type || 's'`),
  created_by: createdBy(),
  creation_time: readOnly(timestamp()),
  last_update_time: readOnly(timestamp()),
}

const common = {
  title: 'project_name',
  aliases: { name: 'project_name', owner: 'project_owner', team: 'project_team' },
  open: true,
  life: {
    links: [{ table: 'projects', column: 'converted_from' }],
    loose: [{ column: 'current_milestone_id', to: ['milestones'], onRemoval: 'clear' as const }],
  },
  find: {
    searchAlso: { number: 'display_id', links: ['company_id', 'account_id'] },
    searched: true,
    searchable: true,
  },
}

const assignees = ['project_owner', 'project_manager']

/** A customer's project. */
export const Project = record(
  {
    ...projectRights,
    ...common,
    word: 'project',
    number: 2,
    only: `t.project_type = 'project'`,
    apps: {
      scope: { word: 'project', things: 'projects, milestones and tasks' },
    },
    events: {
      assignees,
      kinds: {
        project_created: { on: 'created', summary: 'A project was created' },
        project_updated: { on: 'updated', summary: 'Fields of a project changed' },
        project_status_changed: {
          summary: 'The status of a project changed',
          changes: { status: statusBefore },
        },
        project_completed: {
          summary: 'A project was completed',
          after: { 'status.category': 'completed' },
          sample: completedSample,
          changes: { status: statusBefore },
        },
        project_deleted: { on: 'deleted', summary: 'A project was deleted' },
      },
    },
  },
  fields,
)

/** A sale, in a stage of a pipeline. */
export const Deal = record(
  {
    ...dealRights,
    ...common,
    word: 'deal',
    number: 3,
    only: `t.project_type = 'deal'`,
    rights: {
      ...dealRights.rights,
      // a customer or partner reads deals, and internal fields, where a role says so
      defaults: { customer: nothing, partner: nothing },
    },
    apps: {
      scope: { word: 'deal', things: 'deals' },
    },
    events: {
      assignees,
      kinds: {
        deal_created: { on: 'created', summary: 'A deal was created' },
        deal_updated: { on: 'updated', summary: 'Fields of a deal changed' },
        deal_stage_changed: { summary: 'A deal moved to another stage', changes: stageBefore },
        deal_won: {
          summary: 'A deal entered a won stage',
          after: { 'current_pipe_stage.category': 'won' },
          sample: closedSample('won'),
          changes: stageBefore,
        },
        deal_lost: {
          summary: 'A deal entered a lost stage',
          after: { 'current_pipe_stage.category': 'lost' },
          sample: { ...closedSample('lost'), lost_reason: 'price' },
          changes: stageBefore,
        },
        deal_deleted: { on: 'deleted', summary: 'A deal was deleted' },
      },
    },
  },
  fields,
)

/** Projects and deals, each row with the rights of its own kind. */
export const ProjectOrDeal: typeof Project = {
  ...Project,
  rights: { ...Project.rights, decide: eitherRights.rights.decide },
}

const { custom_fields: _, ...others } = fields

/**
 * The same for the application surface: custom fields are an array there, and the latest
 * log entries are included. An event cannot include them, because its own entry is one of them.
 */
export const ShownProject: AnyRecord = {
  ...ProjectOrDeal,
  find: { ...ProjectOrDeal.find, filteredAs: ['projects', 'deals'] },
  fields: {
    ...others,
    recent_activities: computedAlways(
      unlisted(listOf(recentActivity, 'RecentActivity')),
      shown.recent_activities,
    ),
    custom_fields: sharedPart(
      computedAlways(unlisted(listOf(customField, 'CustomFieldValue')), shown.custom_fields()),
      shown.custom_fields(sharedKeys(`t.project_type || 's'`)),
    ),
  },
}

/** The record of a kind. */
export function recordOfType(type: string): typeof Project {
  return type === 'deal' ? Deal : Project
}
