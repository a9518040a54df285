import type { Calendar, Line } from '../step.ts'
import { type Firm, deal, inOrder, introduce, openAccount } from './firm.ts'

type Sketch = Omit<Firm, 'people' | 'currency' | 'segment'> & {
  currency?: string
  contact: [key: string, name: string, title: string]
}

/** A smaller company, with one person. */
function firmOf({ contact: [key, name, title], currency = 'EUR', ...rest }: Sketch): Firm {
  const email = `${key}@${rest.domain}`
  const person = { key, name, email, title, department: 'Management' }
  const people = [{ ...person, seniority: 'Director', buys: 'Decision maker' }]
  return { ...rest, currency, segment: 'Mid-market', people }
}

const wexcombe = firmOf({
  key: 'wexcombe',
  name: 'Wexcombe Learning',
  domain: 'wexcombe.example',
  city: 'Bristol',
  country: 'United Kingdom',
  region: 'Europe',
  timezone: 'Europe/London',
  language: 'English',
  industry: 'Education',
  employees: '51-200',
  pitch: 'teaches trades to people who already work',
  contact: ['eleri', 'Eleri Prydderch', 'Head of Learning'],
})

const ribeira = firmOf({
  key: 'ribeira',
  name: 'Ribeira Azul Hotéis',
  domain: 'ribeira-azul.example',
  city: 'Porto',
  country: 'Portugal',
  region: 'Europe',
  timezone: 'Europe/Lisbon',
  language: 'Portuguese',
  industry: 'Hospitality',
  employees: '51-200',
  pitch: 'runs small hotels by the sea',
  contact: ['conceicao', 'Conceição Magalhães', 'Managing Director'],
})

const tremblay = firmOf({
  key: 'tremblay',
  name: 'Fret Tremblaie',
  domain: 'fret-tremblaie.example',
  city: 'Montréal',
  country: 'Canada',
  region: 'North America',
  timezone: 'America/Toronto',
  language: 'French',
  currency: 'CAD',
  industry: 'Logistics',
  employees: '201-500',
  pitch: 'moves wood and paper by rail',
  contact: ['etienne', 'Étienne Bélanger-Roy', 'Director of Operations'],
})

const dolina = firmOf({
  key: 'dolina',
  name: 'Zielona Dolina Sklepy',
  domain: 'zielona-dolina.example',
  city: 'Kraków',
  country: 'Poland',
  region: 'Europe',
  timezone: 'Europe/Warsaw',
  language: 'English',
  industry: 'Retail',
  employees: '201-500',
  pitch: 'sells household goods in shops and online',
  contact: ['grazyna', 'Grażyna Wójcicka-Łoś', 'Head of Purchasing'],
})

const yamabuki = firmOf({
  key: 'yamabuki',
  name: 'Yamabuki Foods',
  domain: 'yamabuki-foods.example',
  city: 'Osaka',
  country: 'Japan',
  region: 'Asia Pacific',
  timezone: 'Asia/Tokyo',
  language: 'English',
  currency: 'USD',
  industry: 'Manufacturing',
  employees: '501-1000',
  pitch: 'makes sauces and sends them to forty countries',
  contact: ['haruka', 'Haruka Minamoto', 'Director of Supply'],
})

/** The other deals: two lost with their reasons, one customer who has gone quiet, three that are open. */
export function pipeline({ day, time }: Calendar): Line[] {
  return inOrder(
    introduce(wexcombe, -190, 'hunter', { tags: ['Renewal soon'] }),
    openAccount(wexcombe, -188, 'hunter'),
    deal(wexcombe, {
      key: 'wexcombe deal',
      name: 'Starter plan',
      by: 'hunter',
      value: 9_600,
      forecast: day(-150),
      moves: [[-185], [-170, 'proposal'], [-155, 'closed_won']],
    }),
    deal(wexcombe, {
      key: 'wexcombe renewal',
      name: 'Renewal',
      by: 'hunter',
      value: 10_400,
      forecast: day(30),
      tags: ['renewal'],
      moves: [[-63], [-61, 'discovery']],
    }),
    introduce(ribeira, -110, 'seller'),
    openAccount(ribeira, -100, 'seller'),
    deal(ribeira, {
      key: 'ribeira deal',
      name: 'Six hotels',
      by: 'seller',
      value: 14_200,
      forecast: day(-30),
      moves: [[-98], [-80, 'discovery'], [-52, 'proposal'], [-33, 'closed_lost', 'price']],
    }),
    introduce(tremblay, -75, 'hunter'),
    openAccount(tremblay, -74, 'hunter'),
    deal(tremblay, {
      key: 'tremblay deal',
      name: 'Rail depots',
      by: 'hunter',
      value: 44_000,
      forecast: day(-12),
      moves: [[-70], [-50, 'proposal'], [-14, 'closed_lost', 'competitor']],
    }),
    deal(tremblay, {
      key: 'tremblay pilot',
      name: 'Pilot in one depot',
      by: 'hunter',
      value: 8_000,
      forecast: day(38),
      moves: [[-10], [-4, 'proposal']],
    }),
    introduce(dolina, -45, 'seller'),
    openAccount(dolina, -44, 'seller'),
    deal(dolina, {
      key: 'dolina deal',
      name: 'Forty shops',
      by: 'seller',
      value: 22_800,
      forecast: day(62),
      moves: [[-41], [-29, 'discovery']],
    }),
    introduce(yamabuki, -66, 'seller', { tags: ['Key account'] }),
    openAccount(yamabuki, -65, 'seller'),
    deal(yamabuki, {
      key: 'yamabuki deal',
      name: 'Supply chain',
      by: 'seller',
      value: 52_000,
      forecast: day(18),
      moves: [[-62], [-48, 'discovery'], [-30, 'proposal'], [-11, 'negotiation']],
    }),
    [
      [
        -154,
        'hunter',
        'update company',
        'wexcombe',
        {
          company_type: 'customer',
          lead_status: 'converted',
          custom_fields: { plan: 'starter', seats: 18, renewal_date: day(30) },
        },
      ],
      [
        -40,
        'seller',
        'create document',
        'dolina offer',
        {
          document_name: 'Offer Zielona Dolina',
          document_owner: { $: 'seller' },
          editor_html_content: '<h1>Offer</h1><p>For forty shops, in two steps.</p>',
          account_id: { $: 'dolina account' },
        },
      ],
      [
        -13,
        'seller',
        'create document',
        'yamabuki offer',
        {
          document_name: 'Offer Yamabuki Foods',
          document_owner: { $: 'seller' },
          document_status: 'published',
          editor_html_content: '<h1>Offer</h1><p>The supply chain of three plants.</p>',
          account_id: { $: 'yamabuki account' },
        },
      ],
      [
        -12,
        'seller',
        'request signatures',
        'yamabuki offer',
        { recipients: [{ name: 'Haruka Minamoto', email: 'haruka@yamabuki-foods.example' }] },
      ],
      [
        -11,
        'Haruka Minamoto',
        'decline document',
        'yamabuki offer',
        {
          email: 'haruka@yamabuki-foods.example',
          reason: 'The delivery terms are not the ones we agreed on.',
        },
      ],
      [
        -11,
        'seller',
        'comment',
        'yamabuki terms',
        {
          module_id: 'deals',
          reference_id: { $: 'yamabuki deal' },
          content: 'She declined the offer because of the delivery terms. Can we go to 30 days?',
          mentions: [{ $: 'sales' }],
        },
      ],
      [
        -10,
        'sales',
        'comment',
        'yamabuki go',
        {
          parent_interaction_id: { $: 'yamabuki terms' },
          content: 'Yes. Send it again this week.',
        },
      ],
      [
        -9,
        'seller',
        'create meeting',
        'yamabuki call',
        {
          title: 'Call with Yamabuki Foods: terms',
          start: time(2, '07:00'),
          end: time(2, '07:45'),
          extended_props: { company_id: { $: 'yamabuki' } },
          attendees: [
            { type: 'user', id: { $: 'sales' } },
            { type: 'contact', id: { $: 'haruka' } },
          ],
        },
      ],
      [
        -8,
        'Haruka Minamoto',
        'answer invitation',
        'yamabuki call',
        { email: 'haruka@yamabuki-foods.example', response: 'accepted' },
      ],
      [-7, 'sales', 'respond to meeting', 'yamabuki call', { response: 'declined' }],
    ],
  )
}
