import { completed } from '../../model/templates/config.ts'
import type { Queries } from '../../kit/ground/context.ts'
import { newId } from '../../kit/ground/ids.ts'
import { sql } from '../../kit/ground/sql.ts'

type Step = [title: string, start: number, days: number, role?: string]
type Stage = { name: string; start: number; days: number; color: string; tasks: Step[] }

const shipped: { name: string; description: string; stages: Stage[] }[] = [
  {
    name: 'Software onboarding',
    description: 'From the signed order to daily use in four weeks',
    stages: [
      {
        name: 'Kick-off',
        start: 0,
        days: 3,
        color: '#3B82F6',
        tasks: [
          ['Introduce the team', 0, 1, 'project_owner'],
          ['Agree on goals and success measures', 0, 2, 'project_owner'],
          ['Set the dates with the customer', 1, 2, 'project_manager'],
        ],
      },
      {
        name: 'Set-up',
        start: 3,
        days: 7,
        color: '#8B5CF6',
        tasks: [
          ['Create the workspace', 0, 1, 'project_manager'],
          ['Connect single sign-on', 1, 3],
          ['Import the data', 2, 4, 'project_manager'],
          ['Check the imported data with the customer', 5, 2, 'project_manager'],
        ],
      },
      {
        name: 'Training',
        start: 10,
        days: 5,
        color: '#F59E0B',
        tasks: [
          ['Train the administrators', 0, 2, 'project_manager'],
          ['Train the users', 2, 3, 'project_manager'],
        ],
      },
      {
        name: 'Go-live',
        start: 15,
        days: 5,
        color: '#22C55E',
        tasks: [
          ['Go live', 0, 1, 'project_owner'],
          ['Watch the first week', 0, 5, 'project_manager'],
          ['Hand over to customer success', 4, 1, 'project_owner'],
        ],
      },
    ],
  },
  {
    name: 'Professional services engagement',
    description: 'Scope, build, accept and close a piece of work',
    stages: [
      {
        name: 'Discovery',
        start: 0,
        days: 10,
        color: '#3B82F6',
        tasks: [
          ['Interview the stakeholders', 0, 4, 'project_manager'],
          ['Write down the requirements', 3, 5, 'project_manager'],
          ['Have the scope signed', 8, 2, 'project_owner'],
        ],
      },
      {
        name: 'Delivery',
        start: 10,
        days: 20,
        color: '#8B5CF6',
        tasks: [
          ['Build the solution', 0, 15],
          ['Review progress with the customer', 5, 1, 'project_manager'],
          ['Test the solution', 15, 5],
        ],
      },
      {
        name: 'Acceptance',
        start: 30,
        days: 7,
        color: '#F59E0B',
        tasks: [
          ['Accept the work with the customer', 0, 5, 'project_manager'],
          ['Fix what was found', 2, 5],
        ],
      },
      {
        name: 'Closing',
        start: 37,
        days: 3,
        color: '#22C55E',
        tasks: [
          ['Send the final invoice', 0, 1, 'project_owner'],
          ['Look back with the team', 1, 1, 'project_manager'],
        ],
      },
    ],
  },
  {
    name: 'Enterprise rollout',
    description: 'Security review, pilot and a rollout by department',
    stages: [
      {
        name: 'Foundations',
        start: 0,
        days: 10,
        color: '#3B82F6',
        tasks: [
          ['Agree on governance', 0, 3, 'project_owner'],
          ['Pass the security review', 0, 10, 'project_manager'],
          ['Sign the data processing agreement', 2, 8, 'project_owner'],
        ],
      },
      {
        name: 'Pilot',
        start: 10,
        days: 15,
        color: '#8B5CF6',
        tasks: [
          ['Choose the pilot group', 0, 2, 'project_manager'],
          ['Configure roles and permissions', 1, 4],
          ['Run the pilot', 5, 10, 'project_manager'],
        ],
      },
      {
        name: 'Rollout',
        start: 25,
        days: 20,
        color: '#F59E0B',
        tasks: [
          ['Plan the waves', 0, 3, 'project_manager'],
          ['Roll out to the first departments', 3, 7],
          ['Roll out to the others', 10, 10],
        ],
      },
      {
        name: 'Adoption',
        start: 45,
        days: 10,
        color: '#22C55E',
        tasks: [
          ['Measure the use', 0, 10, 'project_manager'],
          ['Hold the executive review', 8, 1, 'project_owner'],
        ],
      },
    ],
  },
]

/** The project templates that every organization has from the start; they cannot be changed. */
export async function shipTemplates(queries: Queries, organization_id: string): Promise<void> {
  const rows = shipped.map(({ name, description, stages }, i) => {
    const config = completed({
      stages: stages.map((stage, s) => ({
        stage_id: String(s + 1),
        name: stage.name,
        color: stage.color,
        start_offset_days: stage.start,
        duration_days: stage.days,
        tasks: stage.tasks.map(([title, start_offset_days, duration_days, assignee_role]) => ({
          title,
          start_offset_days,
          duration_days,
          assignee_role,
        })),
      })),
    })
    return sql`(${organization_id}, ${newId()}, ${name}, ${description},
      ${JSON.stringify(config)}::jsonb, true, ${i === 0})`
  })
  await queries.run(sql`
    insert into templates (organization_id, id, template_name, description, template_config,
      is_predefined, is_default)
    values ${sql.join(rows)}`)
}
