import type { JSONSchema } from '../../kit/ground/json-schema.ts'

export type TemplateTask = {
  id?: string
  title: string
  description?: string | null
  start_offset_days?: number
  duration_days?: number
  assignee_role?: string
  depends_on?: string[]
  priority?: string
  tags?: string[]
  item_type?: number
}

export type TemplateMilestone = {
  name: string
  description?: string | null
  start_offset_days?: number
  duration_days?: number
  assignee_role?: string
  tasks?: TemplateTask[]
}

export type TemplateStage = TemplateMilestone & {
  stage_id?: string
  color?: string
  status?: { [key: string]: unknown }
  milestones?: TemplateMilestone[]
  probability?: number
  category?: string
}

export type TemplateConfig = { stages?: TemplateStage[] }

const offset = { type: 'integer', minimum: 0, maximum: 3660, description: 'working days' }
const name = { type: 'string', pattern: '\\S', maxLength: 255 }
const description = { type: ['string', 'null'], maxLength: 10_000 }
const timing = {
  start_offset_days: offset,
  duration_days: { ...offset, description: 'working days (1)' },
  assignee_role: { type: 'string', maxLength: 100, description: 'such as project_owner' },
}

const taskSchema: JSONSchema = {
  type: 'object',
  properties: {
    id: { type: 'string', minLength: 1, maxLength: 100 },
    title: name,
    name,
    description,
    ...timing,
    depends_on: { type: 'array', items: { type: 'string', maxLength: 255 }, maxItems: 50 },
    priority: { type: 'string', maxLength: 100 },
    tags: { type: 'array', items: { type: 'string', maxLength: 255 }, maxItems: 100 },
    item_type: { type: 'integer', minimum: 1, maximum: 4 },
  },
}

const tasks = { type: 'array', items: taskSchema, maxItems: 2000 }

/** The plan of a template: stages with milestones with tasks (specification 2.3, Template). */
export const configSchema: JSONSchema = {
  type: 'object',
  properties: {
    stages: {
      type: 'array',
      maxItems: 200,
      items: {
        type: 'object',
        properties: {
          stage_id: { type: ['string', 'integer'], maxLength: 100 },
          name,
          color: { type: ['string', 'null'], maxLength: 30 },
          status: { type: ['object', 'null'] },
          description,
          ...timing,
          tasks,
          milestones: {
            type: 'array',
            maxItems: 200,
            items: {
              type: 'object',
              properties: { name, description, ...timing, tasks },
              required: ['name'],
            },
          },
        },
        required: ['name'],
      },
    },
  },
}
