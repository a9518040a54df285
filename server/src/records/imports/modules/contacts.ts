import { schema, without } from '../../../kit/ground/json-schema.ts'
import { text } from '../../../kit/record/fields.ts'
import type { AnyRecord, Field } from '../../../kit/record/record.ts'
import { Contact } from '../../../model/contacts/contact.ts'
import { contactKey, identifying } from '../../contacts/key.ts'
import { usersByEmail } from '../../contacts/linked-user.ts'
import { nameless, withFullName } from '../../contacts/name.ts'
import { contacts } from '../../contacts/operations.ts'
import { lowered } from '../importable.ts'
import type { Body, BulkImportable } from '../importable.ts'
import {
  companyWords,
  createdWords,
  descriptionWords,
  ownerWords,
  tagWords,
} from '../../../model/sheets/header.ts'
import { alikePeople, firmOf } from '../people.ts'
import { isActivity, isKind, isPersonColumn, isSalutation } from '../words.ts'

/** The person to whom a contact reports, with the address with which an import finds them. */
const reports_to = {
  ...Contact.fields.reports_to,
  reference: {
    table: 'contacts',
    shows: {
      contact_id: { column: 'id', kind: 'text' },
      full_name: { column: 'full_name', kind: 'text' },
      email: { column: 'primary_email', kind: 'text' },
    },
    to: (): AnyRecord => Contact,
    by: {},
  },
} satisfies Field

export const importContacts: BulkImportable = {
  how: 'bulk',
  record: Contact,
  exported: { ...Contact, fields: { ...Contact.fields, reports_to } },
  schema: schema<Body>(without(contacts.update.input.body, 'user_id')),
  more: { first_name: text(127), last_name: text(127), middle_name: text(127), kind: text(100) },
  keys: ['primary_email', 'first_name', 'last_name'],
  prepare: (body) => withName(withOwnTags(body)),
  whenNew: nameless,
  companyOf: firmOf,
  alikeRows: alikePeople,
  identifying,
  keyOf: contactKey,
  async columnsAfter(ctx) {
    const userOf = await usersByEmail(ctx)
    return (after, before = {}) =>
      before.linked_user || contactKey(before) === contactKey(after)
        ? {}
        : userOf(after.primary_email)
  },
  names: ({ primary_email }) => [lowered(primary_email) ?? []].flat(),
  parent: 'reports_to',
  prefixes: [
    'contact',
    'person',
    'people',
    'kontakt',
    'personne',
    'persona',
    'contacto',
    'contatto',
    'contato',
    'lead',
    'contactpersoon',
  ],
  isPlaced: true,
  several: { phone: 'phone', primary_email: 'email', 'custom_fields.notes': 'join' },
  beside: { 'custom_fields.website': 'company.company_name' },
  fits: {
    'contact_owner.email': isPersonColumn,
    job_title: (values) => !values.every(isSalutation),
    kind: (values) => values.every(isKind),
    lead_status: (values) => !values.every(isActivity),
  },
  headers: {
    first_name:
      'first name|firstname|given name|forename|vorname|prénom|prenom|nombre de pila|primer nombre|nombres|nome proprio|primeiro nome|nome próprio|voornaam|rufname|given names|contact first name|vorname kontakt|prénom du contact|nombre contacto',
    last_name:
      'last name|lastname|surname|family name|nachname|familienname|zuname|nom de famille|nom de naissance|apellido|apellidos|cognome|sobrenome|apelido|último nome|achternaam|familienaam|contact last name|familien name|nom du contact famille|apellido contacto',
    full_name:
      'full name|name|contact name|contact|person|ansprechpartner|ansprechpartner name|kontakt|kontaktname|vollständiger name|vor- und nachname|nom complet|nom du contact|nom et prénom|nombre completo|nombre del contacto|nombre y apellidos|nome completo|nome e cognome|nome contatto|nominativo|contatto|nome do contato|nome do contacto|volledige naam|contactpersoon|naam contactpersoon|nom|nombre|nome|naam|lead name|person name|ansprechperson|display name|file as|anzeigename|nom affiché|nombre para mostrar|nome visualizzato|nome de exibição|weergavenaam|name of contact|contact full name|fullname',
    primary_email:
      'email|e-mail|mail|email address|e-mail address|work email|business email|email 1|e-mail 1|primary email|e-mail-adresse|emailadresse|mailadresse|e-mail (geschäftlich)|e-mail geschäftlich|adresse e-mail|adresse mail|adresse email|courriel|adresse électronique|mél|correo|correo electrónico|dirección de correo|dirección de correo electrónico|correo-e|indirizzo e-mail|indirizzo email|posta elettronica|endereço de e-mail|endereço de email|correio eletrónico|correio eletrônico|e-mailadres|e-mail work|email work|mail pro|email pro|person email|e-mail value|email id|email address work|work e-mail|e-mail home|email home|private e-mail|e-mail (privat)|home email|home e-mail|personal email|email other|other email|secondary email|additional email addresses|alternate email|e-mail privat|private email|e-mail secondaire|email secondaire|correo secundario|e-mail secondaria|email secundário|tweede e-mail|correo electrónico del trabajo|correo del trabajo|e-mail di lavoro|e-mail de trabalho|zakelijk e-mailadres|e-mail professionnel|adresse de messagerie',
    'company.company_name': `${companyWords}|account|account name|kontoname|kunde|nom du compte|nombre de la cuenta|nome account|nome da conta|klant|organisation 1 name|organization name|account name account|account.name|lead company`,
    'company.company_id': 'company id|account id|associated company id',
    'company.domain':
      'company domain|company domain name|domain|firmendomain|domaine|dominio|domínio|domein|company website|website|webseite|homepage|site web|sitio web|sito web|url',
    job_title:
      'job title|jobtitle|title|job|position|role|funktion|rolle|berufsbezeichnung|stellenbezeichnung|jobbezeichnung|jobtitel|stelle|tätigkeit|fonction|poste|intitulé du poste|titre|cargo|puesto|puesto de trabajo|qualifica|ruolo|posizione|mansione|carica|função|functie|functietitel|beroep|organization title|designation|stellung|position im unternehmen|job position|job role|role title|intitulé de poste|titre du poste|cargo en la empresa|titolo professionale|posizione lavorativa|título do cargo|functieomschrijving|person title',
    department:
      'department|abteilung|bereich|team|service|département|direction|departamento|área|reparto|dipartimento|ufficio|setor|afdeling|organization department|service département|abteilungsname',
    phone:
      'phone|phone number|telephone|tel|tel.|work phone|business phone|phone work|phone value|telefon|telefonnummer|telefon geschäftlich|téléphone|teléfono|telefono|telefone|telefoon|company main phone|mobile|mobile phone|mobile phone number|mobilephone|cell|cell phone|rufnummer|mobil|mobiltelefon|handy|natel|tél|tél.|tél. professionnel|téléphone bureau|numéro de téléphone|portable|téléphone portable|mobile pro|número de teléfono|móvil|teléfono móvil|celular|numero di telefono|cellulare|número de telefone|telemóvel|telefoonnummer|mobiel|person phone|mobile number|cellphone|phone mobile|mobiltelefonnummer|mobilnummer|téléphone mobile|numéro de portable|teléfono celular|telefono cellulare|número de celular|mobiel nummer|mobiele telefoon|home phone|phone home|private phone|telefon privat|telefon (privat)|tel. privat|téléphone domicile|téléphone personnel|teléfono particular|telefono casa|telefone residencial|telefoon privé|other phone|phone other|primary phone|direct phone|telefon mobil|téléphone professionnel|teléfono del trabajo|telefono ufficio|telefono lavoro|telefone comercial|telefone de trabalho|telefoon werk|zakelijke telefoon|festnetz|telefon zentrale|durchwahl|tél. mobile|telefon geschäftlich 2|numéro de téléphone portable|gsm|weiteres telefon|autotelefon|haupttelefon',
    whatsapp_number: 'whatsapp|whatsapp number|whatsapp-nummer',
    contact_stage:
      'stage|lifecycle stage|lifecyclestage|lebenszyklusphase|lifecycle-phase|phase du cycle de vie|étape du cycle de vie|etapa del ciclo de vida|fase del ciclo di vita|estágio do ciclo de vida|levenscyclusfase|contact stage|lifecycle|lifecycle phase|person label',
    lead_source:
      'source|lead source|original source|quelle|lead-quelle|leadquelle|herkunft|original-quelle|origine|source du prospect|origine de la piste|fuente|origen|origen del cliente potencial|fonte|origine lead|origem|origem do lead|bron|leadbron|hs analytics source|original traffic source|lead source detail|source de lead',
    lead_status:
      'status|lead status|lead-status|leadstatus|statut|statut du lead|statut du prospect|estado|estado del lead|stato|stato lead|status do lead|hs lead status|status de prospect|estado de lead|lead state',
    seniority_level:
      'seniority|seniority level|management level|hierarchieebene|niveau hiérarchique|antigüedad|livello di anzianità|nível hierárquico|senioriteit',
    linkedin_url:
      'linkedin|linkedin profile|linkedin url|linkedin profil|linkedin-profil|linkedin handle|linkedin bio',
    twitter_url: 'twitter|twitter handle|twitter username|twitter url|x twitter|x handle',
    profile_image: 'photo|avatar|picture|foto|bild|image',
    'contact_owner.email': `contact owner|contact owner email|kontaktinhaber|zuständiger kontaktbetreuer|kontakt-zuständiger|propriétaire du contact|propietario del contacto|proprietario del contatto|proprietário do contato|eigenaar contactpersoon|lead owner|hubspot owner|${ownerWords}|zuständiger|propriétaire|owner.email|e-mail du propriétaire`,
    reports_to:
      'manager|reports to|vorgesetzter|vorgesetzte|berichtet an|supérieur|responsable hiérarchique|rattaché à|depende de|superior|jefe|riporta a|superiore|reporta a|gestor|leidinggevende|rapporteert aan',
    'reports_to.email':
      'manager email|e-mail des vorgesetzten|email du responsable|correo del jefe',
    lead_score:
      'score|lead score|hubspot score|punkte|punktzahl|lead-score|bewertung|puntuación|punteggio|pontuação',
    language:
      'language|preferred language|hs language|sprache|bevorzugte sprache|korrespondenzsprache|langue|langue préférée|idioma|idioma preferido|lingua|lingua preferita|taal|voorkeurstaal',
    last_activity_date:
      'last activity|last activity date|last contacted|letzte aktivität|zuletzt kontaktiert|letzter kontakt|dernière activité|dernier contact|última actividad|último contacto|ultima attività|última atividade|último contato|laatste activiteit|laatste contact',
    do_not_contact:
      'do not contact|do not call|email opt out|hs email optout|opt out|unsubscribed|kein kontakt|nicht kontaktieren|keine werbung|werbesperre|ne pas contacter|désinscrit|no contactar|no llamar|non contattare|não contatar|não contactar|niet contacteren|niet bellen',
    tags: tagWords,
    'location.city':
      'city|mailing city|town|ort|stadt|wohnort|ville|ciudad|población|città|cidade|localidade|plaats|woonplaats|business city|address city|home city|work city|billing city|person city|other city|ort geschäftlich|ville bureau|ciudad del trabajo|città ufficio',
    'location.country':
      'country|country region|mailing country|land|pays|país|paese|nazione|business country|business country region|address country|home country|work country|billing country|other country|staat|land geschäftlich|country code|land region|pays région|país región|paese area geografica|país região|land regio',
    'location.state':
      'state|state region|mailing state|province|bundesland|kanton|région|region|provincia|regione|provincie|business state|address region|home state|work state|billing state|other state|estado provincia|state province|département|departamento|distrito|region|estado|bundesland kanton',
    'location.zip_code':
      'zip|zip code|postal code|mailing zip|mailing zip postal code|postcode|plz|postleitzahl|code postal|código postal|cap|cep|business postal code|address postal code|home postal code|work postal code|billing code|billing zip|other zip|postal|code postale|cp',
    'location.address':
      'street|street address|address|mailing street|straße nr|straße und hausnummer|rue et numéro|calle y nº|street house no|straße|strasse|adresse|anschrift|dirección|calle|indirizzo|endereço|rua|morada|adres|straat|business street|address street|home street|work street|billing address|billing street|other street|straße geschäftlich|rue|calle y número|via|street 1|address line|address formatted|address line 1',
    timezone:
      'time zone|timezone|zone|zeitzone|fuseau horaire|zona horaria|fuso orario|fuso horário|tijdzone',
    campaign: 'campaign|kampagne|campagne|campaña|campagna|campanha',
    kind: 'kind|type|typ|art|kontaktart|adressart|is company|record kind|tipo|tipo de contacto|tipo contatto|soort|type de contact|customer type|customer sub type|entity type',
    'custom_fields.created_on': createdWords,
    'custom_fields.notes': descriptionWords,
    'custom_fields.birthday':
      'birthday|birthdate|date of birth|geburtstag|geburtsdatum|anniversaire|date de naissance|cumpleaños|fecha de nacimiento|compleanno|data di nascita|aniversário|data de nascimento|verjaardag|geboortedatum',
    'custom_fields.website':
      'website|web page|webpage|page web|web site|homepage|personal web page|website value|webseite|internetseite|site web|página web|sitio web|sito web|pagina web|site',
    'custom_fields.nickname': 'nickname|spitzname|surnom|apodo|soprannome|alcunha|bijnaam',
    'custom_fields.facebook_url': 'facebook|facebook url|facebook profile|facebook profil',
    middle_name:
      'middle name|additional name|middlename|zweiter vorname|weitere vornamen|deuxième prénom|autres prénoms|segundo nombre|secondo nome|nome do meio|tweede voornaam|tussenvoegsel',
    person_category: 'contact type|person category|kontakttyp|person type|contact category',
    display_id:
      'contact number|contact no|record id|datensatz-id|kontaktnummer|personennummer|external id|customer id|contact id|id|record id contact|person id|externe id|hs object id',
  },
}

/** Groups of Google with their names, and without those that everybody is in. */
function withOwnTags({ tags, ...body }: Body): Body {
  if (!Array.isArray(tags)) return tags === undefined ? body : { ...body, tags }
  const own = (tags as unknown[]).filter((tag) => !/^\* (myContacts|starred)$/i.test(String(tag)))
  return { ...body, tags: own.map((tag) => String(tag).replace(/^\* /, '')) }
}

/** Members that only rows have. */
type NameParts = {
  first_name?: string
  middle_name?: string
  last_name?: string
  full_name?: string
}

/**
 * A row as a body: its name from its parts, unless a whole name says more than these.
 */
function withName({ kind: _kind, middle_name, ...row }: Body & NameParts): Body {
  const { first_name, last_name, full_name } = row
  const first = [first_name, middle_name].filter(Boolean).join(' ') || undefined
  const parts = [first_name, last_name].filter(Boolean)
  const isMore = full_name && parts.every((part) => full_name.includes(part ?? ''))
  const { full_name: _full, ...others } = row
  const named = !parts.length || (isMore && !middle_name) ? row : others
  const body = withFullName({ ...named, ...(first ? { first_name: first } : {}) })
  return body
}
