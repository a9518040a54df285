import type { Sheet } from './sheet.ts'

/** Layouts of German, Austrian and Swiss exports. */
export const german: Sheet[] = [
  {
    name: 'a German list of companies, semicolons, Windows-1252',
    module: 'companies',
    encoding: 'windows-1252',
    ends: '\r\n',
    text: `Firmenname;Straße;PLZ;Ort;Land;Webseite;Mitarbeiterzahl;Jahresumsatz
Müller & Söhne GmbH;Hauptstraße 5;04109;Leipzig;Deutschland;www.mueller-soehne.example;11-50;1.250.000,00 €
Weiß AG;Königsallee 1;40212;Düsseldorf;Deutschland;https://weiss.example/de;51-200;8.000,50 €
Ohne Umsatz KG;;;Köln;;;;k. A.
`,
    rows: {
      2: {
        company_name: 'Müller & Söhne GmbH',
        domain: 'mueller-soehne.example',
        estimated_arr: 1250000,
        employee_range: '11_50',
        'address.address': 'Hauptstraße 5',
        'address.zip_code': '04109',
        'address.city': 'Leipzig',
        hq_country: 'Deutschland',
        website_url: 'https://www.mueller-soehne.example',
      },
      3: {
        company_name: 'Weiß AG',
        domain: 'weiss.example',
        estimated_arr: 8000.5,
        employee_range: '51_200',
      },
      4: {
        company_name: 'Ohne Umsatz KG',
        domain: null,
        estimated_arr: null,
        'address.city': 'Köln',
      },
    },
  },
  {
    name: 'contacts of a mail program in German, first and last name apart',
    module: 'contacts',
    encoding: 'utf-8-bom',
    text: `Vorname;Nachname;Firma;Position;E-Mail-Adresse;Telefon geschäftlich;Mobiltelefon
Jürgen;Groß;Müller & Söhne;Geschäftsführer;j.gross@example.test;+49 341 12345;0171 555
Änne;O'Hara;;"Leiterin; Einkauf";aenne@example.test;n/a;
;Schmidt;;;schmidt@example.test;;
`,
    more: { unknown_links: 'create' },
    rows: {
      2: {
        full_name: 'Jürgen Groß',
        primary_email: 'j.gross@example.test',
        phone: '+49 341 12345',
        job_title: 'Geschäftsführer',
        'company.company_name': 'Müller & Söhne',
      },
      3: { full_name: "Änne O'Hara", job_title: 'Leiterin; Einkauf', phone: null, company: null },
      4: { full_name: 'Schmidt', primary_email: 'schmidt@example.test' },
    },
  },
  {
    name: 'a column headed Name beside Vorname is the last name',
    module: 'contacts',
    text: `Anrede;Name;Vorname;E-Mail
Herr;Meier;Hans;hans.meier@example.test
Frau;Lüdenscheidt;Eva;"Eva Lüdenscheidt <eva@example.test>"
`,
    rows: {
      2: { full_name: 'Hans Meier', primary_email: 'hans.meier@example.test' },
      3: { full_name: 'Eva Lüdenscheidt', primary_email: 'eva@example.test' },
    },
  },
  {
    name: 'a Swiss list with apostrophes in amounts and francs',
    module: 'deals',
    text: `Name des Deals;Betrag;Abschlussdatum;Notizen
Umbau Zürich;CHF 8'000.-;31.12.2026;"mit ""Option"""
Wartung;CHF 1'234.50;1.2.2027;
Gratis;-;;
Rückzahlung;(CHF 1'200.-);15.03.2027;Gutschrift
`,
    rows: {
      2: {
        project_name: 'Umbau Zürich',
        expected_deal_value: 8000,
        forecasted_date: '2026-12-31',
        description: 'mit "Option"',
      },
      3: { project_name: 'Wartung', expected_deal_value: 1234.5, forecasted_date: '2027-02-01' },
      4: { project_name: 'Gratis', expected_deal_value: null, forecasted_date: null },
      5: { project_name: 'Rückzahlung', expected_deal_value: -1200, forecasted_date: '2027-03-15' },
    },
  },
  {
    name: 'thousands with a point, decided by one value of the column',
    module: 'deals',
    text: `Dealname;Wert;Erwartetes Abschlussdatum
Klein;8.000;01.02.2027
Mittel;12.500;02.02.2027
Groß;1.250.000;03.02.2027
`,
    rows: {
      2: { project_name: 'Klein', expected_deal_value: 8000, forecasted_date: '2027-02-01' },
      3: { project_name: 'Mittel', expected_deal_value: 12500 },
      4: { project_name: 'Groß', expected_deal_value: 1250000 },
    },
  },
  {
    name: '8.000 with nothing that decides, and the choice of the sender',
    module: 'deals',
    text: `Dealname;Wert
Klein;8.000
Mittel;12.500
`,
    more: { formats: { Wert: 'decimal_comma' } },
    rows: {
      2: { project_name: 'Klein', expected_deal_value: 8000 },
      3: { project_name: 'Mittel', expected_deal_value: 12500 },
    },
  },
  {
    name: 'a title and a day above the header, a line of totals below',
    module: 'companies',
    text: `Kundenliste Vertrieb Süd;;
Stand: 22.11.2026;;
;;
Firma;Jahresumsatz;Ort
Alpha;1.000,00;Ulm
Beta;2.500,75;Bonn

Summe;3.500,75;
`,
    rows: {
      5: { company_name: 'Alpha', estimated_arr: 1000, 'address.city': 'Ulm' },
      6: { company_name: 'Beta', estimated_arr: 2500.75, 'address.city': 'Bonn' },
    },
    lost: { 8: /totals/ },
  },
  {
    name: 'tasks with Ja and Nein, days with month names',
    module: 'tasks',
    text: `Aufgabe;Fällig am;Erledigt;Priorität;Schlagworte
Angebot schreiben;31-Dez-2026;Nein;Hoch;Vertrieb, Angebot
Abnahme;3. März 2026;Ja;;
Unklar;demnächst;vielleicht;;x
`,
    rows: {
      2: {
        title: 'Angebot schreiben',
        due_date: '2026-12-31',
        is_completed: false,
        tags: ['Vertrieb', 'Angebot'],
      },
      3: { title: 'Abnahme', due_date: '2026-03-03', is_completed: true },
      4: { title: 'Unklar', due_date: null, is_completed: false, tags: ['x'] },
    },
    cells: { 4: { 'Fällig am': /not a date/, Erledigt: /yes or no/ } },
  },
  {
    name: 'an export of a German Excel with sep= and UTF-16',
    module: 'contacts',
    encoding: 'utf-16le-bom',
    ends: '\r\n',
    text: `sep=;
Kontaktname;E-Mail;Lead-Score;Letzte Aktivität
Ärzte-Team;team@example.test;12,5;31.12.2025 14:30
Zoë;zoe@example.test;#NV;
`,
    rows: {
      3: {
        full_name: 'Ärzte-Team',
        lead_score: 12.5,
        last_activity_date: '2025-12-31T14:30:00.000Z',
      },
      4: { full_name: 'Zoë', lead_score: null, last_activity_date: null },
    },
  },
  {
    name: 'holidays of a canton',
    module: 'holidays',
    text: `Feiertag;Datum;Land;Kanton;Jährlich
Neujahr;01.01.2027;CH;ZH;Ja
Sechseläuten;19.04.2027;CH;ZH;Nein
`,
    rows: {
      2: {
        country: 'CH',
        state: 'ZH',
        holidays: [
          { name: 'Neujahr', date: '2027-01-01', is_repeat_annually: true },
          { name: 'Sechseläuten', date: '2027-04-19', is_repeat_annually: false },
        ],
      },
      3: { country: 'CH', state: 'ZH' },
    },
  },
]
