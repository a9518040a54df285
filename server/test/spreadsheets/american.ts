import type { Sheet } from './sheet.ts'

/** Layouts of American exports, of several CRM programs. */
export const american: Sheet[] = [
  {
    name: 'contacts of an inbound marketing program',
    module: 'contacts',
    text: `Record ID,First Name,Last Name,Email,Phone Number,Lifecycle Stage,Lead Status,Contact owner,Associated Company
1001,Grace,Hopper,grace@example.test,(555) 010-2000,Lead,New,{member},Navy Labs
1002,Alan,Turing,alan@example.test,,Customer,,nobody@example.test,
1003,,,not an address,,,,,
`,
    more: { unknown_links: 'report' },
    rows: {
      2: {
        full_name: 'Grace Hopper',
        display_id: '1001',
        contact_stage: 'lead',
        lead_status: 'new',
        phone: '(555) 010-2000',
        'contact_owner.email': '{member}',
        company: null,
      },
      3: { full_name: 'Alan Turing', contact_stage: 'customer', contact_owner: null },
    },
    cells: {
      2: { 'Associated Company': /no such record/ },
      3: { 'Contact owner': /no such record/ },
    },
    lost: { 4: /primary_email|full_name/ },
  },
  {
    name: 'accounts of a sales cloud',
    module: 'companies',
    text: `Account Name,Account Owner,Billing Street,Billing City,Billing State/Province,Billing Zip/Postal Code,Industry,Annual Revenue,Employees,Website
"Acme, Inc.",{member},"1 Main St
Suite 5",Springfield,IL,02134,Financial Services,"$1,200,000.00",11-50,acme.example
"Bolt ""& Nut""",,,Austin,TX,73301,Software,"$8,000.50",,https://bolt.example
`,
    rows: {
      2: {
        company_name: 'Acme, Inc.',
        'company_owner.email': '{member}',
        'address.address': '1 Main St\nSuite 5',
        'address.zip_code': '02134',
        industry: 'financial_services',
        estimated_arr: 1200000,
        employee_range: '11_50',
        domain: 'acme.example',
      },
      4: {
        company_name: 'Bolt "& Nut"',
        'address.city': 'Austin',
        domain: 'bolt.example',
        industry: 'software',
        estimated_arr: 8000.5,
      },
    },
  },
  {
    name: 'opportunities of a sales cloud, month first',
    module: 'deals',
    text: `Opportunity Name,Account Name,Amount,Close Date,Stage
Acme renewal,Acme,"8,000",12/31/2026,Proposal
Beta pilot,,"1,250.50",03/04/2026,
`,
    more: { unknown_links: 'create' },
    rows: {
      2: {
        project_name: 'Acme renewal',
        expected_deal_value: 8000,
        forecasted_date: '2026-12-31',
        'account.account_name': 'Acme',
        'current_pipe_stage.stage_name': 'Proposal',
      },
      3: { project_name: 'Beta pilot', expected_deal_value: 1250.5, forecasted_date: '2026-03-04' },
    },
  },
  {
    name: 'deals of a pipeline program, currency and value apart',
    module: 'deals',
    text: `Deal - Title,Deal - Value,Deal - Currency of Value,Deal - Expected close date,Deal - Label
Website,2000,EUR,2026-12-31,hot
Shop,15000.5,EUR,2027-01-15,
`,
    rows: {
      2: { project_name: 'Website', expected_deal_value: 2000, forecasted_date: '2026-12-31' },
      3: { project_name: 'Shop', expected_deal_value: 15000.5, forecasted_date: '2027-01-15' },
    },
  },
  {
    name: 'contacts of a suite, tabs between cells',
    module: 'contacts',
    text: `Lead Name\tCompany\tEmail\tMobile\tLead Source\tEmail Opt Out\tTag
Linus Pauling\tCaltech\tlinus@example.test\t+1 555 0100\tReferral\tFalse\tchem;vip
Marie Curie\tSorbonne\tmarie@example.test\t\tSocial media\tTRUE\t
`,
    more: { unknown_links: 'create' },
    rows: {
      2: {
        full_name: 'Linus Pauling',
        'company.company_name': 'Caltech',
        phone: '+1 555 0100',
        lead_source: 'referral',
        do_not_contact: 'no',
        tags: ['chem', 'vip'],
      },
      3: {
        full_name: 'Marie Curie',
        'company.company_name': 'Sorbonne',
        lead_source: 'social_media',
        do_not_contact: 'yes',
      },
    },
  },
  {
    name: 'accounts of an office suite, parent accounts below their children',
    module: 'companies',
    text: `Account Name,Main Phone,Address 1: City,Address 1: ZIP/Postal Code,Parent Account,Website
Contoso Labs,555-0101,Reno,89501,Contoso,
Contoso,555-0100,Redmond,98052,,contoso.example
`,
    rows: {
      2: { company_name: 'Contoso Labs', parent_company: '{id of Contoso}' },
      3: { company_name: 'Contoso', domain: 'contoso.example', parent_company: null },
    },
  },
  {
    name: 'amounts that are abbreviated or in another currency',
    module: 'deals',
    text: `Deal name,Amount
Short,8k
Euro,"€5,000.00"
Dollar,"$5,000.00"
More,"$12,500.00"
Million,1.5M
`,
    rows: {
      2: { project_name: 'Short', expected_deal_value: null },
      3: { project_name: 'Euro', expected_deal_value: null },
      4: { project_name: 'Dollar', expected_deal_value: 5000 },
      5: { project_name: 'More', expected_deal_value: 12500 },
      6: { project_name: 'Million', expected_deal_value: null },
    },
    cells: { 2: { Amount: /abbreviated/ }, 3: { Amount: /EUR/ }, 6: { Amount: /abbreviated/ } },
  },
  {
    name: 'formulas are data',
    module: 'contacts',
    text: `Name,Email,Job Title
"=HYPERLINK(""http://evil.example"",""x"")",f1@example.test,=1+1
@cmd,f2@example.test,+SUM(A1:A2)
'-quoted,f3@example.test,#REF!
`,
    rows: {
      2: { full_name: '=HYPERLINK("http://evil.example","x")', job_title: '=1+1' },
      3: { full_name: '@cmd', job_title: '+SUM(A1:A2)' },
      4: { full_name: '-quoted', job_title: null },
    },
    cells: { 4: { 'Job Title': /error of the spreadsheet/ } },
  },
  {
    name: 'duplicates in the file',
    module: 'contacts',
    text: `Name,Email,Title
Ada,ada@example.test,Countess
Ada L.,ADA@example.test,Programmer
Bob,bob@example.test,
`,
    rows: { 2: { full_name: 'Ada', job_title: 'Countess' }, 4: { full_name: 'Bob' } },
    lost: { 3: /exists already/ },
  },
  {
    name: 'two files pasted into one: the header comes again',
    module: 'contacts',
    text: `Name,Email
Ada,ada@example.test

Name,Email
Bob,bob@example.test
`,
    rows: { 2: { full_name: 'Ada' }, 5: { full_name: 'Bob' } },
    lost: { 4: /header/ },
  },
  {
    name: 'a row with a cell too many, and one with too few',
    module: 'contacts',
    text: `Name,Email,Title
Ada,ada@example.test,Countess, of Lovelace
Bob,bob@example.test
`,
    rows: { 3: { full_name: 'Bob', job_title: null } },
    lost: { 2: /cells/ },
  },
  {
    name: 'several addresses and addresses with names',
    module: 'contacts',
    text: `Email,Phone
"Ada Lovelace <ada@example.test>",1
"bob@example.test; bobby@example.test",2
mailto:eve@example.test,4.93E+11
`,
    rows: {
      2: { full_name: 'Ada Lovelace', primary_email: 'ada@example.test', phone: '1' },
      3: { full_name: 'bob', primary_email: 'bob@example.test', phone: '2' },
      4: { full_name: 'eve', primary_email: 'eve@example.test', phone: null },
    },
    cells: { 3: { Email: /several addresses/ }, 4: { Phone: /digits are lost/ } },
  },
  {
    name: 'percent signs, and a score that is none',
    module: 'contacts',
    text: `Name,Email,Lead Score
Ada,ada@example.test,12 %
Bob,bob@example.test,"12.5%"
Eve,eve@example.test,high
`,
    rows: {
      2: { full_name: 'Ada', lead_score: 12 },
      3: { full_name: 'Bob', lead_score: 12.5 },
      4: { full_name: 'Eve', lead_score: null },
    },
    cells: { 4: { 'Lead Score': /not a number/ } },
  },
  {
    name: 'a long dash in a range, and a word that no option has',
    module: 'companies',
    text: `Company name,Industry,Number of employees
One,Financial services,11–50
Two,Underwater basket weaving,1001-5000
`,
    rows: {
      2: { company_name: 'One', industry: 'financial_services', employee_range: '11_50' },
      3: {
        company_name: 'Two',
        industry: 'Underwater basket weaving',
        employee_range: '1001_5000',
      },
    },
  },
]
