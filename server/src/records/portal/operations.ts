import { Type } from 'typebox'
import { notFound } from '../../kit/ground/errors.ts'
import { operation } from '../../kit/ground/operation.ts'
import { portalOf } from './portal.ts'
import { portal } from './shape.ts'

export const readPortal = operation({
  name: 'read_portal',
  summary: 'Retrieve what the portal shows',
  description:
    'What waits for you, and one of your projects with its milestones, meetings, documents and conversation, as far as you may read them.',
  topic: 'portal',
  can: 'signed_in',
  writes: false,
  needsSession: true,
  input: {
    query: Type.Object({
      project_id: Type.Optional(
        Type.String({ minLength: 1, maxLength: 25, description: 'the first one when absent' }),
      ),
    }),
  },
  output: portal,
  async run(ctx, { query: { project_id: asked } }) {
    const found = await portalOf(ctx, asked)
    if (asked !== undefined && found.project?.id !== asked) throw notFound('Project')
    return found
  },
})
