import { Company } from '../../../model/companies/company.ts'
import { companyKey, identifying, withDomain } from '../../companies/key.ts'
import { companies } from '../../companies/operations.ts'
import { lowered } from '../importable.ts'
import type { BulkImportable } from '../importable.ts'
import { companyShown } from './links.ts'
import {
  companyWords,
  createdWords,
  descriptionWords,
  nameWords,
  ownerWords,
  tagWords,
} from '../../../model/sheets/header.ts'
import { isPersonColumn } from '../words.ts'
import { ownDomain } from '../../../model/sheets/website.ts'

/** The parent company, by the key with which an import finds it. */
const { column: _column, ...parent_company } = companyShown

export const importCompanies: BulkImportable = {
  how: 'bulk',
  record: Company,
  exported: { ...Company, fields: { ...Company.fields, parent_company } },
  schema: companies.update.input.body,
  more: {},
  keys: [],
  prepare(body) {
    const domain = body.domain ? undefined : ownDomain(body.website_url)
    return withDomain(domain ? { ...body, domain } : body)
  },
  identifying,
  keyOf: (body) => (body.company_name || body.domain ? companyKey(body) : null),
  alike: {
    column: 'company_name_key',
    of: ({ domain, company_name }) => (domain ? null : lowered(company_name)),
  },
  names: ({ company_name, domain }) =>
    [company_name, domain].flatMap((each) => lowered(each) ?? []),
  parent: 'parent_company',
  prefixes: [
    'organization',
    'organisation',
    'company',
    'account',
    'firma',
    'unternehmen',
    'société',
    'entreprise',
    'empresa',
    'azienda',
    'bedrijf',
    'organisatie',
  ],
  isPlaced: true,
  several: { description: 'join' },
  fits: { 'company_owner.email': isPersonColumn },
  whenNew: ({ company_name, domain }) => (lowered(company_name) ? {} : { company_name: domain }),
  headers: {
    'custom_fields.created_on': createdWords,
    'custom_fields.email':
      'email|e-mail|email address|e-mail address|e-mail-adresse|emailadresse|mail|adresse e-mail|courriel|correo electrónico|correo|indirizzo e-mail|posta elettronica|endereço de e-mail|e-mailadres|work email|general email',
    'custom_fields.phone':
      'phone|phone number|telephone|main phone|telefon|telefonnummer|téléphone|teléfono|telefono|telefone|telefoon',
    company_name: `${companyWords}|${nameWords}|account name|account|kontoname|kunde|kundenname|client|cliente|klant|nombre de la cuenta|nom du compte|customer name|companyname|nom de compte|account.name`,
    domain:
      'domain|company domain|domain name|company domain name|web domain|email domain|internetdomain|domaine|nom de domaine|dominio|nombre de dominio|nome di dominio|domínio|domein|domeinnaam|unternehmensdomain|domainname|domainname des unternehmens|name der unternehmensdomain',
    website_url:
      'website|website url|url|homepage|web|web site|web page|internet|internetseite|webseite|webadresse|internetadresse|site web|site internet|site|sitio web|página web|pagina web|sito web|sito|sito internet|página da web|website do cliente|webadres|www',
    hq_country:
      'country|country region|headquarters country|billing country|address 1 country region|land|staat land|pays|país|paese|nazione|billing country region|land region|rechnungsland|address country of address|country of address|pays région|país región',
    hq_location:
      'headquarters|location|hauptsitz|sitz|standort|siège|siège social|sede|sede central|sede principale|hoofdkantoor|vestiging',
    industry:
      'sector|industry|branche|wirtschaftszweig|industriezweig|secteur|secteur d’activité|industria|rubro|settore|setor|ramo de atividade|bedrijfstak|sbi',
    employee_range:
      'employees|number of employees|no of employees|no. of employees|company size|size|mitarbeiter|mitarbeiterzahl|anzahl mitarbeiter|anzahl der mitarbeiter|mitarbeiteranzahl|beschäftigte|effectif|effectifs|nombre d’employés|nombre de salariés|empleados|número de empleados|nº de empleados|dipendenti|numero di dipendenti|numero dipendenti|funcionários|número de funcionários|nº de funcionários|aantal medewerkers|aantal werknemers|medewerkers|numberofemployees|headcount',
    revenue_range:
      'revenue|umsatzklasse|revenue range|umsatzspanne|tranche de chiffre d’affaires|rango de ingresos|fascia di fatturato',
    estimated_arr:
      'arr|estimated arr|annual revenue|umsatz|jahresumsatz|annual recurring revenue|chiffre d’affaires|chiffre d’affaires annuel|ca annuel|ca|ingresos anuales|facturación|facturación anual|fatturato|fatturato annuo|ricavi annui|receita anual|faturamento|faturamento anual|omzet|jaaromzet|jährlicher umsatz|annualrevenue',
    company_type:
      'type|company type|account type|typ|kundentyp|firmentyp|kontotyp|unternehmenstyp|type de compte|type d’entreprise|tipo|tipo de cuenta|tipo de empresa|tipo di azienda|tipologia|tipo de conta|type bedrijf|relatietype|soort relatie',
    customer_segment:
      'segment|customer segment|kundensegment|segment client|segmento|segmento cliente|klantsegment',
    description: descriptionWords,
    logo_url: 'logo|logo url',
    linkedin_url: 'linkedin|linkedin company page|linkedin url|linkedin profil|linkedin bio',
    twitter_url: 'twitter|twitter handle|x|x twitter',
    'address.city':
      'city|billing city|address 1 city|town|ort|stadt|rechnungsort|wohnort|ville|commune|ciudad|población|localidad|città|comune|cidade|localidade|plaats|woonplaats|stad|ort rechnungsadresse|address city|city town|address city town village locality of address|city town village locality of address',
    'address.state':
      'state|state province|state region|billing state|billing state province|province|region|bundesland|kanton|canton|département|provincia|comunidad autónoma|estado provincia|provincia stato|regione|distrito|provincie|address 1 state province|bundesland kanton|address state county of address|state county of address|state',
    'address.address':
      'street|street address|address|address 1|billing street|address 1 street 1|straße|strasse|strasse nr|straße und hausnummer|anschrift|adresse|rue|adresse postale|dirección|calle|domicilio|indirizzo|via|endereço|rua|morada|logradouro|adres|straat|straat en huisnummer|rechnungsstraße|straße nr|street house no',
    'address.zip_code':
      'zip|zip code|zip postal code|postal code|postcode|billing zip|billing postal code|billing zip postal code|plz|postleitzahl|code postal|cp|código postal|c.p.|cap|codice postale|cep|address 1 zip postal code|plz rechnungsadresse|address zip postal code of address|zip postal code of address',
    'address.country': 'address country|adressland|land rechnungsadresse',
    'company_owner.email': `company owner|account owner|kontoinhaber|kundenbetreuer|inhaber des kontos|propriétaire du compte|propietario de la cuenta|proprietario dell’account|proprietário da conta|accounteigenaar|zuständiger mitarbeiter|zuständiger unternehmensbetreuer|${ownerWords}|hubspot owner`,
    parent_company:
      'parent|parent company|parent account|mutter|muttergesellschaft|mutterunternehmen|übergeordnetes konto|übergeordnete firma|konzern|société mère|compte parent|maison mère|empresa matriz|cuenta principal|società madre|capogruppo|account principale|empresa-mãe|conta pai|moederbedrijf|moedermaatschappij|hoofdaccount',
    tags: tagWords,
    display_id:
      'customer number|customer no|kundennummer|kunden-nr|kundennr|debitorennummer|debitor|numéro client|n° client|número de cliente|codice cliente|número do cliente|klantnummer|relatienummer|account number|accountnummer|external id|record id|datensatz-id|company id|organization id|account id|id|hs object id',
    lead_status: 'lead status|leadstatus',
  },
}
