import type { Calendar, Line } from '../step.ts'
import {
  type Firm,
  deal,
  done,
  inOrder,
  introduce,
  openAccount,
  reached,
  personAt,
} from './firm.ts'

const firm: Firm = {
  key: 'olmeda',
  name: 'Olmeda Energía',
  domain: 'olmeda-energia.example',
  city: 'Sevilla',
  country: 'Spain',
  region: 'Europe',
  timezone: 'Europe/Madrid',
  language: 'Spanish',
  currency: 'EUR',
  industry: 'Energy',
  employees: '201-500',
  segment: 'Mid-market',
  pitch: 'plans and runs solar parks in Andalucía and the Algarve',
  people: [
    {
      key: 'inigo',
      name: 'Íñigo Valdés Muñoz',
      email: 'inigo.valdes@olmeda-energia.example',
      title: 'Chief Operating Officer',
      department: 'Operations',
      seniority: 'C-level',
      buys: 'Decision maker',
    },
    {
      key: 'begona',
      name: 'Begoña Peñarrubia',
      email: 'begona.penarrubia@olmeda-energia.example',
      title: 'Legal Counsel',
      department: 'Legal',
      seniority: 'Senior',
      buys: 'Legal',
    },
  ],
}

const project = 'olmeda project'

/** Begun this week: the kick-off is over, and one of two signatures is still to come. */
export function olmeda({ day, time }: Calendar): Line[] {
  const inigo = personAt(firm, 0)
  const begona = personAt(firm, 1)
  return inOrder(
    introduce(firm, -80, 'hunter', { tags: ['Pilot'] }),
    openAccount(firm, -78, 'hunter'),
    deal(firm, {
      key: 'olmeda deal',
      name: 'Two parks',
      by: 'hunter',
      value: 31_500,
      forecast: day(-8),
      project_manager: { $: 'onboarder' },
      tags: ['new business'],
      moves: [
        [-72],
        [-58, 'discovery'],
        [-36, 'proposal'],
        [-18, 'negotiation'],
        [-9, 'closed_won'],
      ],
    }),
    [
      [
        -9,
        'hunter',
        'update company',
        firm.key,
        {
          company_type: 'customer',
          lead_status: 'converted',
          custom_fields: { plan: 'growth', seats: 90, renewal_date: day(356) },
        },
      ],
      [
        -8,
        'success',
        'convert deal',
        project,
        {
          deal: { $: 'olmeda deal' },
          project_name: 'Olmeda onboarding',
          template_id: { $: 'onboarding plan' },
          // earlier and the weekend before a Wednesday would make its first tasks late
          start_date: day(-2),
          due_date: day(26),
        },
      ],
      [
        -8,
        'success',
        'update project',
        project,
        {
          project_owner: { $: 'csm' },
          status: 'in_progress',
          share_all: true,
          project_team: [{ user_id: { $: 'auditor' } }],
        },
      ],
      [
        -7,
        'hunter',
        'create document',
        'olmeda agreement',
        {
          document_name: 'Data processing agreement Olmeda',
          document_owner: { $: 'hunter' },
          document_status: 'published',
          editor_html_content:
            '<h1>Data processing agreement</h1><p>Which data is processed for whom, where, and for how long.</p>',
          account_id: { $: 'olmeda account' },
          is_shared: true,
        },
      ],
      [
        -7,
        'hunter',
        'request signatures',
        'olmeda agreement',
        {
          recipients: [
            { name: begona.name, email: begona.email },
            { name: inigo.name, email: inigo.email },
          ],
          sequential: true,
          expires_at: time(21, '17:00'),
        },
      ],
      [-6, begona.name, 'open document', 'olmeda agreement', { email: begona.email }],
      [
        -5,
        begona.name,
        'sign document',
        'olmeda agreement',
        { email: begona.email, name: begona.name },
      ],
      [
        -8,
        'csm',
        'create meeting',
        'olmeda kick-off',
        {
          title: 'Kick-off: Olmeda Energía',
          start: time(-2, '09:00'),
          end: time(-2, '10:00'),
          project: { $: project },
          is_shared: true,
          attendees: [
            { type: 'user', id: { $: 'onboarder' } },
            { type: 'contact', id: { $: 'inigo' } },
            { type: 'contact', id: { $: 'begona' } },
          ],
        },
      ],
      [
        -7,
        inigo.name,
        'answer invitation',
        'olmeda kick-off',
        { email: inigo.email, response: 'accepted' },
      ],
      [-7, 'onboarder', 'respond to meeting', 'olmeda kick-off', { response: 'accepted' }],
      [
        -7,
        begona.name,
        'answer invitation',
        'olmeda kick-off',
        { email: begona.email, response: 'declined' },
      ],
      [
        -1,
        'csm',
        'comment',
        'olmeda note',
        {
          module_id: 'projects',
          reference_id: { $: project },
          content:
            'Good start. They want the second park in the same workspace; please keep that in mind for the import.',
          mentions: [{ $: 'onboarder' }],
        },
      ],
      reached(project, 'Kick-off', -2, 'in_progress'),
    ],
    done(project, 'onboarder', [-2, 'Introduce the teams']),
  )
}
