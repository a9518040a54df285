import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outlineOf, roleLabel } from './outline.ts'

test('a template at a glance has its milestones, tasks, working days and roles', () => {
  const outline = outlineOf({
    template_config: {
      stages: [
        {
          name: 'Kick-off',
          duration_days: 2,
          tasks: [
            { title: 'A', assignee_role: 'project_owner' },
            { id: 'b', title: 'B' },
          ],
        },
        {
          name: 'Build',
          milestones: [
            {
              name: 'Data',
              start_offset_days: 2,
              tasks: [
                { title: 'C', start_offset_days: 1, duration_days: 4, assignee_role: 'Data' },
              ],
            },
          ],
        },
      ],
    },
  })
  assert.deepEqual(outline, {
    milestones: [
      {
        name: 'Kick-off',
        start: 0,
        end: 2,
        tasks: 2,
        lines: [
          { ref: 'A', title: 'A' },
          { ref: 'b', title: 'B' },
        ],
      },
      { name: 'Data', start: 2, end: 7, tasks: 1, lines: [{ ref: 'C', title: 'C' }] },
    ],
    tasks: 3,
    days: 7,
    roles: ['project_owner', 'Data'],
  })
  assert.deepEqual(outlineOf({ template_config: {} }), {
    milestones: [],
    tasks: 0,
    days: 0,
    roles: [],
  })
  assert.equal(roleLabel('project_owner'), 'Project owner')
})
