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
import { tagged } from '../attached/tagged.ts'
import {
  boolean,
  customFields,
  date,
  integer,
  key,
  list,
  listOf,
  number,
  object,
  objectOf,
  oneOf,
  rank,
  reference,
  sharedKeys,
  stamp,
  tagList,
  text,
  timestamp,
} from '../../kit/record/fields.ts'

// the same fields for both: deals and projects are one resource (specification 2.3)
const fields = {
  id: text(25, { readOnly: true }),
  project_id: key(),
  display_id: text(100, { isNotCopied: true }),
  project_name: text(255, { required: true, folded: 't.project_name_key' }),
  description: text(),
  project_type: oneOf(['project', 'deal'], {
    default: 'project',
    title: 'ProjectType',
    isUnshown: true,
  }),
  project_type_str: text(20, { isUnshown: true, expression: shown.project_type_str }),
  start_date: date(),
  due_date: date({ look: 'due' }),
  forecasted_date: date({
    look: 'due',
    audience: { read: 'case when t.show_forecasted_date then t.forecasted_date end' },
  }),
  show_forecasted_date: boolean({ default: false }),
  project_score: integer({
    description: totals.score,
    audience: 'internal',
    expression: shown.project_score,
  }),
  tasks_count: integer({ description: totals.tasks, expression: shown.tasks_count }),
  open_tasks_count: integer({ description: totals.open, expression: shown.open_tasks_count }),
  milestones_count: integer({ description: totals.milestones, expression: shown.milestones_count }),
  phase: object(),
  tags: tagList({ ...tagged, read: `coalesce(t.tags, '[]')` }),
  status: status('projects'),
  project_manager: person(),
  project_owner: person({ look: 'owner' }),
  account_id: reference({
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
  account: objectOf(projectAccount, {
    nullable: true,
    title: 'ProjectAccount',
    expression: shown.account,
  }),
  company_id: reference({
    table: 'companies',
    shows: null,
    to: (): AnyRecord => Company,
    by: companyKeys(),
  }),
  // the customer's contact: a body names it, or its form, by `customer` or inside `account`
  customer: reference(
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
    { column: 'customer_contact' },
  ),
  customer_project_owner: reference(
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
    { readOnly: true, nullable: true, column: 'customer_contact' },
  ),
  is_arr: boolean({ default: false, audience: 'internal' }),
  revenue: number({ isMoney: true, audience: 'internal' }),
  other_revenue: number({ readOnly: true, nullable: true, isMoney: true, audience: 'internal' }),
  project_fee: number({ isMoney: true, audience: 'internal' }),
  expected_deal_value: number({ isMoney: true, audience: 'internal' }),
  expected_onboarding_fee: number({ isMoney: true, audience: 'internal' }),
  hourly_rate: number({ isMoney: true, audience: 'internal' }),
  monthly_rate: number({ isMoney: true, audience: 'internal' }),
  calculated_revenue: number({
    description: totals.revenue,
    isMoney: true,
    audience: 'internal',
    expression: shown.calculated_revenue,
  }),
  formatted_deal_value: text(60, {
    nullable: true,
    isUnshown: true,
    audience: 'internal',
    expression: shown.formatted_deal_value,
  }),
  formatted_revenue: text(60, {
    nullable: true,
    isUnshown: true,
    audience: 'internal',
    expression: shown.formatted_revenue,
  }),
  formatted_other_revenue: text(60, {
    nullable: true,
    isUnshown: true,
    audience: 'internal',
    expression: shown.formatted_other_revenue,
  }),
  currency_unit: text(3, {
    optionSet: { module: 'projects', name: 'currencies' },
    isUnshown: true,
    expression: shown.currency,
  }),
  billing_model: text(255, {
    optionSet: { module: 'projects', name: 'billing_models' },
    audience: 'internal',
  }),
  billing_frequency: text(255, {
    optionSet: { module: 'projects', name: 'billing_frequencies' },
    audience: 'internal',
  }),
  contract_duration: integer({ audience: 'internal' }),
  deal_resources: integer({ audience: 'internal' }),
  project_duration: integer(),
  template_id: text(25, { readOnly: true, nullable: true, isUnshown: true }),
  template_version: integer({
    readOnly: true,
    nullable: true,
    isUnshown: true,
    refusal: 'is that of the template when the project was made',
  }),
  template_name: text(255, { nullable: true, expression: shown.template_name }),
  template_desc: text(10_000, { isSystem: true, nullable: true, expression: shown.template_desc }),
  pipeline_id: text(25, {
    readOnly: true,
    nullable: true,
    isUnshown: true,
    audience: 'internal',
    idsOf: pipelinesNamed,
    namesOf: pipelineNames,
  }),
  stage_id: text(25, {
    readOnly: true,
    nullable: true,
    look: 'status',
    audience: 'internal',
    idsOf: stagesNamed,
    namesOf: stageNames,
  }),
  lost_reason: text(255, {
    readOnly: true,
    nullable: true,
    optionSet: { module: 'projects', name: 'lost_reasons' },
    audience: 'internal',
  }),
  closed_at: timestamp({ readOnly: true, nullable: true, audience: 'internal' }),
  completed_at: timestamp({ readOnly: true, nullable: true }),
  stages: listOf(projectStage, {
    title: 'ProjectStage',
    filterable: false,
    expression: shown.stages,
  }),
  pipeline_stages: listOf(dealStage, {
    title: 'DealStage',
    audience: 'internal',
    filterable: false,
    expression: shown.pipeline_stages,
  }),
  current_stage: objectOf(projectStage, {
    nullable: true,
    title: 'ProjectStage',
    look: 'status',
    expression: shown.current_stage,
  }),
  current_pipe_stage: objectOf(dealStage, {
    nullable: true,
    title: 'DealStage',
    look: 'status',
    audience: 'internal',
    filters: stageFilters,
    expression: shown.current_pipe_stage,
  }),
  current_milestone_id: text(25, {
    readOnly: true,
    nullable: true,
    isUnshown: true,
    refusal: 'follows from the milestones and their status',
  }),
  milestone_status: objectOf(milestoneTotals, {
    title: 'MilestoneTotals',
    expression: shown.milestone_status,
  }),
  insights: objectOf(projectInsights, {
    title: 'ProjectInsights',
    audience: 'internal',
    expression: shown.insights,
  }),
  time_left: integer({
    nullable: true,
    description: totals.left,
    look: 'days_left',
    expression: shown.time_left,
  }),
  time_spent: integer({
    description: totals.spent,
    look: 'duration',
    expression: shown.time_spent,
  }),
  project_team: listOf(teamMember, {
    title: 'TeamMember',
    filterable: false,
    expression: shown.project_team,
  }),
  partner_orgs: list({}, { readOnly: true, nullable: true, filterable: false }),
  visible_to_all: boolean({ default: true }),
  is_private: boolean({ default: false }),
  is_shared: boolean({ default: false }),
  position: integer({ sortedAs: 'rank', isNotCopied: true, isUnshown: true }),
  rank: rank(),
  external_map: object({ isNotCopied: true, isUnshown: true, audience: 'internal' }),
  holidays_id: text(25, { isUnshown: true }),
  converted_from: text(25, {
    readOnly: true,
    nullable: true,
    isUnshown: true,
    audience: 'internal',
    refusal: 'is set by converting a deal',
  }),
  invite_type: text(60, { isSystem: true }),
  object_source: text(40, { readOnly: true, isUnshown: true }),
  custom_fields: customFields(`t.project_type || 's'`),
  created_by: createdBy(),
  creation_time: stamp(),
  last_update_time: stamp(),
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
    page: {
      strip: [],
      rail: [
        'status',
        'project_owner',
        'project_manager',
        'account_id',
        'start_date',
        'due_date',
        'template_name',
        'tags',
      ],
    },
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
    page: {
      strip: ['expected_deal_value', 'forecasted_date', 'project_owner'],
      rail: [
        'account_id',
        'company_id',
        'customer',
        'contract_duration',
        'billing_model',
        'billing_frequency',
        'tags',
      ],
    },
    number: 3,
    only: `t.project_type = 'deal'`,
    rights: {
      ...dealRights.rights,
      isInternal: true,
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
    recent_activities: listOf(recentActivity, {
      title: 'RecentActivity',
      filterable: false,
      expression: shown.recent_activities,
    }),
    custom_fields: listOf(customField, {
      title: 'CustomFieldValue',
      audience: { read: shown.custom_fields(sharedKeys(`t.project_type || 's'`)) },
      filterable: false,
      expression: shown.custom_fields(),
    }),
  },
}

/** The record of a kind. */
export function recordOfType(type: string): typeof Project {
  return type === 'deal' ? Deal : Project
}
