import type { Sheet } from './sheet.ts'

/** Workbooks of Excel and of programs that write such. */
export const workbooks: Sheet[] = [
  {
    name: 'a workbook of contacts with numbers, days and leading zeros',
    module: 'contacts',
    xlsx: [
      ['Vorname', 'Nachname', 'E-Mail', 'Lead-Score', 'Letzte Aktivität', 'PLZ', 'Telefon'],
      [
        'Jörg',
        'Weiß',
        'joerg@example.test',
        8.125,
        { date: 46387 },
        { digits: 5, of: 4109 },
        4934112345,
      ],
      ['Zoë', 'Ünal', 'zoe@example.test', -1, { date: 46387.5 }, '01067', null],
      ['Max', null, 'max@example.test', null, null, null, null],
    ],
    rows: {
      2: {
        full_name: 'Jörg Weiß',
        lead_score: 8.125,
        last_activity_date: '2026-12-31T00:00:00.000Z',
        'location.zip_code': '04109',
        phone: '4934112345',
      },
      3: {
        full_name: 'Zoë Ünal',
        lead_score: -1,
        last_activity_date: '2026-12-31T12:00:00.000Z',
        'location.zip_code': '01067',
        phone: null,
      },
      4: { full_name: 'Max', lead_score: null, last_activity_date: null },
    },
  },
  {
    name: 'a workbook of companies with formulas and errors',
    module: 'companies',
    xlsx: [
      ['Company name', 'Annual revenue', 'City', 'Description'],
      [
        'Alpha',
        { formula: '1000*8', value: 8000 },
        { formula: 'CONCAT("U","lm")', value: 'Ulm' },
        '=1+1',
      ],
      ['Beta', { error: '#DIV/0!' }, { error: '#N/A' }, null],
      ['Gamma', '1.250,50 €', 'Köln', 'a\nb'],
    ],
    rows: {
      2: { company_name: 'Alpha', estimated_arr: 8000, 'address.city': 'Ulm', description: '=1+1' },
      3: { company_name: 'Beta', estimated_arr: null, address: null },
      4: {
        company_name: 'Gamma',
        estimated_arr: 1250.5,
        'address.city': 'Köln',
        description: 'a\nb',
      },
    },
    cells: { 3: { 'Annual revenue': /error of the spreadsheet/ } },
  },
  {
    name: 'a workbook of deals with a title, percent and text dates',
    module: 'deals',
    xlsx: [
      ['Pipeline report'],
      [],
      ['Deal name', 'Amount', 'Close date', 'Contract duration'],
      ['One', 8000, '31.12.2026', 12],
      ['Two', 8.5, { date: 46022 }, { percent: 0.12 }],
      ['Total', 8008.5, null, null],
    ],
    rows: {
      4: {
        project_name: 'One',
        expected_deal_value: 8000,
        forecasted_date: '2026-12-31',
        contract_duration: 12,
      },
      5: {
        project_name: 'Two',
        expected_deal_value: 8.5,
        forecasted_date: '2025-12-31',
        contract_duration: 12,
      },
    },
    lost: { 6: /totals/ },
  },
  {
    name: 'a workbook of tasks with gaps between rows',
    module: 'tasks',
    xlsx: [
      ['Task', 'Due date', 'Completed', 'Tags'],
      [],
      ['Call', { date: 46387 }, 'x', 'a; b'],
      [null, null, null, null],
      ['Write', 46387, 'no', 'c'],
    ],
    rows: {
      3: { title: 'Call', due_date: '2026-12-31', is_completed: true, tags: ['a', 'b'] },
      5: { title: 'Write', due_date: '2026-12-31', is_completed: false, tags: ['c'] },
    },
  },
  {
    name: 'a workbook of meetings',
    module: 'meetings',
    xlsx: [
      ['Subject', 'Start', 'End', 'Location', 'Attendees'],
      [
        'Kick-off',
        { date: 46387.375 },
        { date: 46387.4375 },
        'Room 1',
        '{member}; Guest <guest@example.test>',
      ],
      ['Wrong way', { date: 46387.5 }, { date: 46387.25 }, null, null],
    ],
    rows: {
      2: {
        title: 'Kick-off',
        start: '2026-12-31T09:00:00.000Z',
        end: '2026-12-31T10:30:00.000Z',
        location: 'Room 1',
        'attendees.1.email': 'guest@example.test',
        'attendees.0.type': 'user',
      },
    },
    lost: { 3: /before start/ },
  },
  {
    name: 'a workbook of tags',
    module: 'tags',
    xlsx: [
      ['Schlagwort', 'Beschreibung'],
      ['Wichtig', 'für alle'],
      ['wichtig', 'noch einmal'],
      [2026, null],
    ],
    rows: {
      2: { tag_name: 'Wichtig', description: 'für alle' },
      4: { tag_name: '2026', description: null },
    },
    lost: { 3: /exists already/ },
  },
  {
    name: 'a workbook of accounts, Dutch',
    module: 'accounts',
    xlsx: [
      ['Klantnaam', 'Omzet', 'Regio', 'Website', 'Trefwoorden'],
      ['Van Dam', '12.500,00', 'Zuid', 'www.vandam.example', 'a, b'],
      ['Bakker', 8.5, null, 'niet bekend', null],
    ],
    rows: {
      2: {
        account_name: 'Van Dam',
        total_revenue: 12500,
        region: 'Zuid',
        website_url: 'https://www.vandam.example',
        tags: ['a', 'b'],
      },
      3: { account_name: 'Bakker', total_revenue: 8.5, website_url: null },
    },
    cells: { 3: { Website: /web address/ } },
  },
  {
    name: 'milestones of a project that exists, and of one that does not',
    module: 'milestones',
    xlsx: [
      ['Meilenstein', 'Projekt', 'Fällig', 'Status'],
      ['Start', 'Existing project', '15.01.2027', 'In progress'],
      ['Ende', 'existing PROJECT', '31.03.2027', 'fertig'],
      ['Nirgends', 'Unknown', null, null],
    ],
    rows: {
      2: { name: 'Start', due_date: '2027-01-15', 'status.status_key': 'in_progress' },
      3: { name: 'Ende', due_date: '2027-03-31', 'status.status_key': 'completed' },
    },
    lost: { 4: /no such record/ },
  },
]
