import type { Sheet } from './sheet.ts'

/** Layouts in French, Spanish, Italian, Portuguese and Dutch. */
export const romance: Sheet[] = [
  {
    name: 'French companies, narrow spaces between thousands',
    module: 'companies',
    encoding: 'utf-8-bom',
    ends: '\r\n',
    text: `Raison sociale;Ville;Code postal;Pays;Site web;Chiffre d'affaires annuel;Effectif
Société Générale d'Éclairage;Orléans;45000;France;www.eclairage.example;1\u202f234,56 €;11-50
Café «Le Départ»;Paris;75005;France;;12\u00a0500 €;
`,
    rows: {
      2: {
        company_name: "Société Générale d'Éclairage",
        estimated_arr: 1234.56,
        domain: 'eclairage.example',
        'address.city': 'Orléans',
        'address.zip_code': '45000',
        employee_range: '11_50',
      },
      3: { company_name: 'Café «Le Départ»', estimated_arr: 12500, domain: null },
    },
  },
  {
    name: 'French contacts, Nom beside Prénom, Latin-1',
    module: 'contacts',
    encoding: 'windows-1252',
    text: `Prénom;Nom;Adresse e-mail;Fonction;Téléphone;Langue
François;Lefèvre;francois@example.test;Directeur général;01 23 45 67 89;français
Zoé;Nuñez;zoe.nunez@example.test;;;-
`,
    rows: {
      2: {
        full_name: 'François Lefèvre',
        job_title: 'Directeur général',
        phone: '01 23 45 67 89',
        language: 'français',
      },
      3: { full_name: 'Zoé Nuñez', job_title: null, language: null },
    },
  },
  {
    name: 'French deals with Oui and long dates',
    module: 'deals',
    text: `Nom de la transaction;Montant;Date de clôture;Récurrent
Éclairage public;8 000,00 €;31 décembre 2026;Oui
Réfection;2 500,50 €;1er août 2026;Non
`,
    rows: {
      2: {
        project_name: 'Éclairage public',
        expected_deal_value: 8000,
        forecasted_date: '2026-12-31',
        is_arr: true,
      },
      3: {
        project_name: 'Réfection',
        expected_deal_value: 2500.5,
        forecasted_date: '2026-08-01',
        is_arr: false,
      },
    },
  },
  {
    name: 'Spanish contacts',
    module: 'contacts',
    text: `Nombre;Apellidos;Correo electrónico;Empresa;Cargo;No contactar
José;García Márquez;jose@example.test;Peña S.L.;Jefe;Sí
Íñigo;Núñez;inigo@example.test;Peña S.L.;;No
`,
    more: { unknown_links: 'create' },
    rows: {
      2: {
        full_name: 'José García Márquez',
        'company.company_name': 'Peña S.L.',
        do_not_contact: 'yes',
        job_title: 'Jefe',
      },
      3: { full_name: 'Íñigo Núñez', 'company.company_name': 'Peña S.L.', do_not_contact: 'no' },
    },
  },
  {
    name: 'Italian companies with mixed signs in one column',
    module: 'companies',
    text: `Ragione sociale;Fatturato;Sito web;Città
Ferramenta Rossi;€ 1.234,56;http://www.rossi.example;Torino
Bianchi & C.;€ 8.000,00;;Milano
Verdi;12,5;;Roma
`,
    rows: {
      2: { company_name: 'Ferramenta Rossi', estimated_arr: 1234.56, domain: 'rossi.example' },
      3: { company_name: 'Bianchi & C.', estimated_arr: 8000, 'address.city': 'Milano' },
      4: { company_name: 'Verdi', estimated_arr: 12.5 },
    },
  },
  {
    name: 'Portuguese contacts, UTF-16 big-endian',
    module: 'contacts',
    encoding: 'utf-16be',
    text: `Primeiro nome;Sobrenome;Endereço de e-mail;Função;Pontuação
João;Conceição;joao@example.test;Diretor;7,5
Inês;Gonçalves;ines@example.test;;
`,
    rows: {
      2: { full_name: 'João Conceição', job_title: 'Diretor', lead_score: 7.5 },
      3: { full_name: 'Inês Gonçalves', lead_score: null },
    },
  },
  {
    name: 'Dutch companies, pipes',
    module: 'companies',
    text: `Bedrijfsnaam|Plaats|Postcode|Omzet|Aantal medewerkers|Trefwoorden
Van der Berg B.V.|Den Haag|2511 AA|1.234.567,89|51-200|klant, groothandel
De Vries|Gouda|2801|12|1-10|
`,
    rows: {
      2: {
        company_name: 'Van der Berg B.V.',
        estimated_arr: 1234567.89,
        'address.zip_code': '2511 AA',
        employee_range: '51_200',
        tags: ['klant', 'groothandel'],
      },
      3: { company_name: 'De Vries', estimated_arr: 12, employee_range: '1_10' },
    },
  },
  {
    name: 'Spanish projects with quoted line ends',
    module: 'projects',
    ends: '\r\n',
    text: `Nombre del proyecto;Fecha de inicio;Vencimiento;Descripción
Migración;05/01/2026;30/06/2026;"Primera línea
Segunda línea"
Formación;01/02/2026;13/03/2026;
`,
    rows: {
      2: {
        project_name: 'Migración',
        start_date: '2026-01-05',
        due_date: '2026-06-30',
        description: 'Primera línea\r\nSegunda línea',
      },
      4: { project_name: 'Formación', start_date: '2026-02-01', due_date: '2026-03-13' },
    },
    more: { formats: { 'Fecha de inicio': 'day_first' } },
  },
]
