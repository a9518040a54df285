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
  key: 'clairval',
  name: 'Clairval Santé',
  domain: 'clairval-sante.example',
  city: 'Lyon',
  country: 'France',
  region: 'Europe',
  timezone: 'Europe/Paris',
  language: 'French',
  currency: 'EUR',
  industry: 'Healthcare',
  employees: '501-1000',
  segment: 'Enterprise',
  pitch: 'runs eleven clinics and looks after patients at home',
  people: [
    {
      key: 'helene',
      name: 'Hélène Garçonnet',
      email: 'helene.garconnet@clairval-sante.example',
      title: 'Chief Operating Officer',
      department: 'Operations',
      seniority: 'C-level',
      buys: 'Economic buyer',
    },
    {
      key: 'francois',
      name: 'François Lacroizée',
      email: 'francois.lacroizee@clairval-sante.example',
      title: 'Director of IT',
      department: 'IT',
      seniority: 'Director',
      buys: 'Technical evaluator',
    },
  ],
}

const project = 'clairval project'
const agreement = 'clairval agreement'
const about = { module_id: 'projects', reference_id: { $: project } }

/** Done: the onboarding is finished, the agreement is signed and sealed, and an expansion is in sight. */
export function clairval({ day, time }: Calendar): Line[] {
  const helene = personAt(firm, 0)
  const francois = personAt(firm, 1)
  return inOrder(
    introduce(firm, -150, 'seller', { tags: ['Key account', 'Reference'] }),
    openAccount(firm, -148, 'seller'),
    deal(firm, {
      key: 'clairval deal',
      name: 'Scale plan',
      by: 'seller',
      value: 61_200,
      forecast: day(-82),
      project_manager: { $: 'onboarder' },
      tags: ['new business'],
      moves: [
        [-140],
        [-125, 'discovery'],
        [-108, 'proposal'],
        [-95, 'negotiation'],
        [-84, 'closed_won'],
      ],
    }),
    [
      [
        -88,
        'seller',
        'create document',
        agreement,
        {
          document_name: 'Service agreement Clairval Santé',
          document_status: 'published',
          editor_html_content:
            '<h1>Service agreement</h1><p>Between the parties named below, for twelve months. The service is provided in the European Union; the notice period is three months.</p><h2>Price</h2><p>As offered, invoiced once a year.</p>',
          account_id: { $: 'clairval account' },
          revenue: 61_200,
        },
      ],
      [
        -88,
        'seller',
        'request signatures',
        agreement,
        {
          recipients: [
            { name: helene.name, email: helene.email },
            { name: francois.name, email: francois.email, role: 'approver' },
          ],
          message: 'Merci de votre confiance.',
        },
      ],
      [-87, francois.name, 'open document', agreement, { email: francois.email }],
      [
        -87,
        francois.name,
        'sign document',
        agreement,
        { email: francois.email, name: francois.name },
      ],
      [-86, helene.name, 'open document', agreement, { email: helene.email }],
      [-85, helene.name, 'sign document', agreement, { email: helene.email, name: helene.name }],
      [-85, 'seller', 'seal document', agreement],
      [
        -83,
        'seller',
        'update company',
        firm.key,
        {
          company_type: 'customer',
          lead_status: 'converted',
          custom_fields: { plan: 'scale', seats: 340, renewal_date: day(281), is_reference: true },
        },
      ],
      [
        -82,
        'success',
        'convert deal',
        project,
        {
          deal: { $: 'clairval deal' },
          project_name: 'Clairval onboarding',
          template_id: { $: 'onboarding plan' },
          start_date: day(-78),
        },
      ],
      [
        -82,
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
        -80,
        'csm',
        'create meeting',
        'clairval kick-off',
        {
          title: 'Kick-off: Clairval Santé',
          start: time(-74, '13:00'),
          end: time(-74, '14:00'),
          project: { $: project },
          is_shared: true,
          attendees: [
            { type: 'contact', id: { $: 'helene' } },
            { type: 'contact', id: { $: 'francois' } },
          ],
        },
      ],
      [
        -79,
        helene.name,
        'answer invitation',
        'clairval kick-off',
        { email: helene.email, response: 'accepted' },
      ],
      [
        -73,
        'csm',
        'create insight',
        'clairval insight',
        {
          meeting_insight_id: 'clairval-kick-off',
          calendar_id: { $: 'clairval kick-off' },
          summary:
            'The clinics start one after the other; reports for the board by the end of the quarter.',
          action_items: [{ title: 'Send the list of clinics' }],
        },
      ],
      [
        -60,
        'csm',
        'comment',
        'clairval praise',
        { ...about, content: 'All eleven clinics are live, a week before the date we promised.' },
      ],
      [
        -60,
        'success',
        'react',
        'clairval praise',
        { interaction_id: { $: 'clairval praise' }, reaction: '🎉' },
      ],
      [
        -60,
        'admin',
        'react',
        'clairval praise',
        { interaction_id: { $: 'clairval praise' }, reaction: '🎉' },
      ],
      [
        -50,
        helene.name,
        'answer survey',
        'onboarding survey',
        {
          email: helene.email,
          nps: 10,
          csat: 5,
          why: 'Équipe formidable, tout était prêt à temps. Excellent !',
        },
      ],
      [
        -48,
        francois.name,
        'answer survey',
        'onboarding survey',
        { email: francois.email, nps: 9, csat: 4 },
      ],
      [-51, 'success', 'update project', project, { status: 'completed' }],
      [
        -16,
        'seller',
        'create meeting',
        'clairval expansion',
        {
          title: 'Expansion: home care',
          start: time(6, '12:00'),
          end: time(6, '12:45'),
          extended_props: { company_id: { $: firm.key } },
          attendees: [
            { type: 'user', id: { $: 'csm' } },
            { type: 'contact', id: { $: 'helene' } },
          ],
        },
      ],
      [-15, 'csm', 'respond to meeting', 'clairval expansion', { response: 'accepted' }],
      [
        -14,
        helene.name,
        'answer invitation',
        'clairval expansion',
        { email: helene.email, response: 'accepted' },
      ],
      reached(project, 'Kick-off', -73),
      reached(project, 'Set-up', -64),
      reached(project, 'Training', -61),
      reached(project, 'Go-live', -51),
    ],
    deal(firm, {
      key: 'clairval expansion deal',
      name: 'Home care',
      by: 'seller',
      value: 24_000,
      forecast: day(24),
      tags: ['expansion'],
      project_team: [{ user_id: { $: 'auditor' } }],
      moves: [[-34], [-27, 'discovery'], [-15, 'proposal'], [-5, 'negotiation']],
    }),
    done(
      project,
      'onboarder',
      [-77, 'Introduce the teams'],
      [-75, 'Agree on goals and dates'],
      [-75, 'Note who decides what'],
      [-74, 'Create the workspace'],
      [-71, 'Connect single sign-on'],
      [-70, 'Import the data'],
      [-68, 'Check the imported data'],
      [-64, 'Train the administrators'],
      [-62, 'Train the users'],
      [-61, 'Go live'],
      [-54, 'Watch the first week'],
      [-53, 'Review with the customer'],
    ),
  )
}
