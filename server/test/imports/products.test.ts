import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestService } from '../support/service.ts'
import { makeOrganization, startService } from '../support/service.ts'
import { assertRows } from './rows.ts'
import { bringing } from './bring.ts'

type Row = { [field: string]: any }
type File = {
  name: string
  module: 'contacts' | 'companies' | 'deals' | 'tasks' | 'projects'
  csv: string
  key: string
  rows: { [name: string]: Row }
  /** lines with reports, and a part of the reason */
  reported?: { [line: number]: RegExp }
}

const files: File[] = [
  {
    name: 'contacts of Salesforce',
    module: 'contacts',
    key: 'full_name',
    csv: `"Salutation","First Name","Last Name","Title","Mailing Street","Mailing City","Mailing State/Province","Mailing Zip/Postal Code","Mailing Country","Phone","Mobile","Fax","Email","Account Owner","Account Name","Lead Source"
"Ms.","Ana","Silva","CFO","Rua 1","Lisboa","","1000-001","Portugal","+351 1","+351 9","","ana@silva.example","OWNER","Silva Lda","Web"
"","Tom","Berg","","","","","","","","+49 170","","tom@berg.example","","",""
`,
    rows: {
      'Ana Silva': {
        job_title: 'CFO',
        phone: '+351 1',
        'custom_fields.phone_2': '+351 9',
        primary_email: 'ana@silva.example',
        'company.company_name': 'Silva Lda',
        location: {
          address: 'Rua 1',
          city: 'Lisboa',
          zip_code: '1000-001',
          country: 'Portugal',
        },
      },
      'Tom Berg': { phone: '+49 170', 'custom_fields.phone_2': null },
    },
  },
  {
    name: 'people of Pipedrive in German',
    module: 'contacts',
    key: 'full_name',
    csv: `Person - Name,Person - Organisation,Person - E-Mail,Person - Telefon,Person - Besitzer
Mia Kern,Kern AG,mia@kern.example,+41 1,OWNER
Leo Frei,,leo@frei.example,,
`,
    rows: {
      'Mia Kern': {
        'company.company_name': 'Kern AG',
        primary_email: 'mia@kern.example',
        phone: '+41 1',
        'contact_owner.full_name': 'OWNER',
      },
      'Leo Frei': { phone: null },
    },
  },
  {
    name: 'contacts of a mail program in French',
    module: 'contacts',
    key: 'full_name',
    csv: `Titre;Prénom;Nom;Société;Service;Adresse de messagerie;Tél. professionnel;Téléphone mobile;Notes
Mme;Zoé;Lenoir;Lenoir SARL;Achats;zoe@lenoir.example;01 02;06 07;Rappeler
M.;Luc;Petit;;;luc@petit.example;;06 08;
`,
    rows: {
      'Zoé Lenoir': {
        job_title: null,
        'company.company_name': 'Lenoir SARL',
        department: 'Achats',
        primary_email: 'zoe@lenoir.example',
        'custom_fields.notes': 'Rappeler',
      },
      'Luc Petit': { phone: '06 08', job_title: null },
    },
  },
  {
    name: 'contacts of Bitrix',
    module: 'contacts',
    key: 'full_name',
    csv: `ID;First name;Last name;Position;Company;Work Phone;Mobile;Work E-mail;Responsible person;Created on;Comment
7;Ida;Lund;Buyer;Lund AS;+45 1;+45 2;ida@lund.example;OWNER;01.02.2024 10:00:00;Likes tea
`,
    rows: {
      'Ida Lund': {
        display_id: '7',
        job_title: 'Buyer',
        phone: '+45 1',
        'custom_fields.phone_2': '+45 2',
        primary_email: 'ida@lund.example',
        'contact_owner.full_name': 'OWNER',
        'custom_fields.created_on': '2024-02-01',
        'custom_fields.notes': 'Likes tea',
      },
    },
  },
  {
    name: 'opportunities of Salesforce',
    module: 'deals',
    key: 'project_name',
    csv: `"Opportunity Name","Account Name","Stage","Close Date","Amount","Probability (%)","Opportunity Owner","Created Date","Lead Source"
"Crane lease","Acme","Closed Won","2/28/2023","12,500.00","100","OWNER","1/5/2023",""
"Dock works","Acme","Negotiation/Review","3/31/2027","7,000.50","90","OWNER","1/5/2026",""
"Buoys","Beta","Closed Lost","12/30/2022","900.00","0","OWNER","1/5/2022",""
`,
    rows: {
      'Crane lease': {
        'current_pipe_stage.category': 'won',
        closed_at: '2023-02-28T00:00:00.000Z',
        forecasted_date: '2023-02-28',
        expected_deal_value: 12500,
        'account.account_name': 'Acme',
        'project_owner.full_name': 'OWNER',
      },
      'Dock works': {
        'current_pipe_stage.stage_key': 'negotiation',
        forecasted_date: '2027-03-31',
        expected_deal_value: 7000.5,
      },
      Buoys: { 'current_pipe_stage.category': 'lost', closed_at: '2022-12-30T00:00:00.000Z' },
    },
  },
  {
    name: 'deals of Pipedrive in French, with a header that names the currency',
    module: 'deals',
    key: 'project_name',
    csv: `Affaire - Titre;Valeur (EUR);Statut;Étape;Gagné le;Perdu le;Motif de perte
Grue;1 500,50;Gagné;Proposition;13/03/2024;;
Quai;2 000,00;Perdu;Qualifié;;25/03/2024;Trop cher
Bouée;10,00;Ouvert;Qualifié;;;
`,
    rows: {
      Grue: {
        'current_pipe_stage.category': 'won',
        closed_at: '2024-03-13T00:00:00.000Z',
        expected_deal_value: 1500.5,
        currency_unit: 'EUR',
      },
      Quai: {
        'current_pipe_stage.category': 'lost',
        closed_at: '2024-03-25T00:00:00.000Z',
        lost_reason: 'Trop cher',
        currency_unit: 'EUR',
      },
      Bouée: { 'current_pipe_stage.stage_key': 'qualification', closed_at: null },
    },
  },
  {
    name: 'deals of Zoho',
    module: 'deals',
    key: 'project_name',
    csv: `Record Id,Deal Name,Amount,Stage,Closing Date,Account Name,Deal Owner,Created Time
zcrm_1,Sails,100,Needs Analysis,2027-05-01,Acme,OWNER,2026-01-01 10:00:00
zcrm_2,Masts,200,Closed Won,2024-05-01,Acme,OWNER,2024-01-01 10:00:00
`,
    rows: {
      Sails: { 'current_pipe_stage.stage_key': 'discovery', display_id: 'zcrm_1' },
      Masts: { closed_at: '2024-05-01T00:00:00.000Z', 'account.account_name': 'Acme' },
    },
  },
  {
    name: 'cards of Trello',
    module: 'tasks',
    key: 'title',
    csv: `Card ID,Card Name,Card URL,Card Description,Labels,Due Date,List Name,Due Complete
a1,Paint,https://trello.example/a1,Blue,"home,later",2027-01-02,Doing,false
a2,Sand,https://trello.example/a2,,,,Done,true
`,
    rows: {
      Paint: {
        display_id: 'a1',
        description: 'Blue',
        tags: ['home', 'later'],
        due_date: '2027-01-02',
        'status.category': 'in_progress',
      },
      Sand: { is_completed: true },
    },
  },
  {
    name: 'items of monday',
    module: 'tasks',
    key: 'title',
    csv: `Name,Person,Status,Timeline - Start,Timeline - End,Priority,Notes
Survey the pier,OWNER,Working on it,2027-02-01,2027-02-10,Critical,With a boat
Order planks,,Stuck,,,Low,
`,
    rows: {
      'Survey the pier': {
        'owner.full_name': 'OWNER',
        'status.category': 'in_progress',
        start_date: '2027-02-01',
        due_date: '2027-02-10',
        'priority.value': 'urgent',
        description: 'With a boat',
      },
      'Order planks': { 'status.category': 'on_hold', 'priority.value': 'low' },
    },
  },
  {
    name: 'issues of Jira in German',
    module: 'tasks',
    key: 'title',
    csv: `Zusammenfassung;Vorgangsschlüssel;Status;Priorität;Zugewiesene Person;Gelöst;Fälligkeitsdatum;Stichwörter;Stichwörter
Anlegen;HB-1;Erledigt;Hoch;OWNER;24.12.2024 10:30;;eins;zwei
Ablegen;HB-2;In Arbeit;Niedrig;;;31.01.2027;;
`,
    rows: {
      Anlegen: {
        display_id: 'HB-1',
        is_completed: true,
        completed_at: '2024-12-24T10:30:00.000Z',
        'priority.value': 'high',
        'owner.full_name': 'OWNER',
        tags: ['eins', 'zwei'],
      },
      Ablegen: {
        'status.category': 'in_progress',
        'priority.value': 'low',
        due_date: '2027-01-31',
      },
    },
  },
  {
    name: 'tasks of Teamwork',
    module: 'tasks',
    key: 'title',
    csv: `Task ID,Task name,Assigned to,Start date,Due date,Priority,Status,Date created,Date completed,Tags,Description
31,Call the port,OWNER,2027-03-01,2027-03-05,High,new,2026-01-01,,a,First
32,Close the books,OWNER,,2024-03-05,,completed,2024-01-01,2024-03-04,,
`,
    rows: {
      'Call the port': {
        display_id: '31',
        'owner.full_name': 'OWNER',
        'priority.value': 'high',
        'status.category': 'not_started',
        tags: ['a'],
        description: 'First',
      },
      'Close the books': { completed_at: '2024-03-04T00:00:00.000Z', is_completed: true },
    },
  },
  {
    name: 'rows of Airtable',
    module: 'tasks',
    key: 'title',
    csv: `Name,Notes,Assignee,Status,Start date,Deadline,Tags
Draft,Short,OWNER,Todo,2027-04-01,2027-04-09,"x,y"
Print,,,In progress,,,
`,
    rows: {
      Draft: {
        'status.category': 'not_started',
        due_date: '2027-04-09',
        start_date: '2027-04-01',
        tags: ['x', 'y'],
      },
      Print: { 'status.category': 'in_progress' },
    },
  },
  {
    name: 'projects of Rocketlane',
    module: 'projects',
    key: 'project_name',
    csv: `Project Name,Customer,Status,Project Owner,Start Date,Due Date,Completed On
Roll-out,Acme,Completed,OWNER,2024-01-01,2024-06-01,2024-05-30
Pilot,Acme,In progress,OWNER,2026-01-01,2027-06-01,
`,
    rows: {
      'Roll-out': {
        'status.category': 'completed',
        completed_at: '2024-05-30T00:00:00.000Z',
        'account.account_name': 'Acme',
      },
      Pilot: { 'status.category': 'in_progress', 'project_owner.full_name': 'OWNER' },
    },
  },
]

const lists: { [module: string]: string } = {
  contacts: '/api/contact/',
  companies: '/api/company/',
  deals: '/api/project/info/?project_type=deal',
  projects: '/api/project/info/?project_type=project',
  tasks: '/api/tasks/',
}

describe('an export of', () => {
  let service: TestService

  before(async () => {
    service = await startService({}, undefined, true)
  })

  for (const { name, module, csv, key, rows, reported = {} } of files) {
    test(`${name} arrives whole, and once`, async () => {
      const org = await makeOrganization(service)
      const { bring, list } = bringing(service, org)
      const owner = `member of ${org.name}`
      const text = csv.replaceAll('OWNER', owner)
      const done = await bring(module, text, { unknown_links: 'create' })
      const lines = Object.fromEntries(done.errors.map(({ line, reason }: Row) => [line, reason]))
      assert.deepEqual(Object.keys(lines), Object.keys(reported), JSON.stringify(done.errors))
      for (const [line, reason] of Object.entries(reported)) assert.match(lines[line], reason)
      const expected = JSON.parse(JSON.stringify(rows).replaceAll('"OWNER"', JSON.stringify(owner)))
      assertRows(await list(lists[module]!), key, expected)
      const again = await bring(module, text, { unknown_links: 'create', on_duplicate: 'update' })
      const { created, updated, failed } = again
      assert.deepEqual({ created, updated, failed }, { created: 0, updated: 0, failed: 0 })
    })
  }
})
