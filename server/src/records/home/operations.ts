import { Type } from 'typebox'
import { enumeration } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { homeOf } from './home.ts'
import { home } from './shape.ts'

export const readHome = operation({
  name: 'read_home',
  summary: 'Retrieve what is to be done now',
  description:
    'Your tasks and meetings by when they are due, what you wait for from others, and cards by what you own or lead. Each part counts what its list has; one that cannot be read says so, and the others are there.',
  topic: 'users',
  can: 'signed_in',
  writes: false,
  needsSession: true,
  input: {
    query: Type.Object({
      as: Type.Optional(
        enumeration(['me', 'team'], {
          title: 'HomeAs',
          description: 'with `team` the work of everybody who reports to you, too (me)',
        }),
      ),
    }),
  },
  output: home,
  run: (ctx, { query: { as = 'me' } }) => homeOf(ctx, as),
})
