import { schema, without } from '../../../kit/ground/json-schema.ts'
import { text } from '../../../kit/record/fields.ts'
import type { AnyRecord, Field } from '../../../kit/record/record.ts'
import { Contact } from '../../../model/contacts/contact.ts'
import { contactKey } from '../../contacts/key.ts'
import { usersByEmail } from '../../contacts/linked-user.ts'
import { withFullName } from '../../contacts/name.ts'
import { contacts } from '../../contacts/operations.ts'
import { foldedText } from '../importable.ts'
import type { Body, BulkImportable } from '../importable.ts'
import { companyWords, ownerWords, tagWords } from '../../../model/sheets/header.ts'

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
  more: { first_name: text(127), last_name: text(127) },
  keys: ['primary_email', 'first_name', 'last_name'],
  prepare: withFullName,
  keyOf: contactKey,
  async columnsAfter(ctx) {
    const userOf = await usersByEmail(ctx)
    return (after, before = {}) =>
      before.linked_user || contactKey(before) === contactKey(after)
        ? {}
        : userOf(after.primary_email)
  },
  names: ({ primary_email }) => [foldedText(primary_email) ?? []].flat(),
  parent: 'reports_to',
  headers: {
    first_name:
      'first name|firstname|given name|forename|vorname|prénom|prenom|nombre de pila|primer nombre|nombres|nome proprio|primeiro nome|nome próprio|voornaam|rufname',
    last_name:
      'last name|lastname|surname|family name|nachname|familienname|zuname|nom de famille|nom de naissance|apellido|apellidos|cognome|sobrenome|apelido|último nome|achternaam|familienaam',
    full_name:
      'full name|name|contact name|contact|person|ansprechpartner|ansprechpartner name|kontakt|kontaktname|vollständiger name|vor- und nachname|nom complet|nom du contact|nom et prénom|nombre completo|nombre del contacto|nombre y apellidos|nome completo|nome e cognome|nome contatto|nominativo|contatto|nome do contato|nome do contacto|volledige naam|contactpersoon|naam contactpersoon|nom|nombre|nome|naam|lead name|person name|ansprechperson',
    primary_email:
      'email|e-mail|mail|email address|e-mail address|work email|business email|email 1|e-mail 1|primary email|e-mail-adresse|emailadresse|mailadresse|e-mail (geschäftlich)|e-mail geschäftlich|adresse e-mail|adresse mail|adresse email|courriel|adresse électronique|mél|correo|correo electrónico|dirección de correo|dirección de correo electrónico|correo-e|indirizzo e-mail|indirizzo email|posta elettronica|endereço de e-mail|endereço de email|correio eletrónico|correio eletrônico|e-mailadres|e-mail work|email work|mail pro|email pro|person email',
    'company.company_name': `${companyWords}|account|account name|kontoname|kunde|nom du compte|nombre de la cuenta|nome account|nome da conta|klant`,
    'company.company_id': 'company id|account id|associated company id',
    'company.domain':
      'company domain|company domain name|domain|firmendomain|domaine|dominio|domínio|domein|company website|website|webseite|homepage|site web|sitio web|sito web|url',
    job_title:
      'title|job title|job|position|role|funktion|rolle|berufsbezeichnung|stellenbezeichnung|stelle|tätigkeit|fonction|poste|intitulé du poste|titre|cargo|puesto|puesto de trabajo|qualifica|ruolo|posizione|mansione|carica|função|functie|functietitel|beroep',
    department:
      'department|abteilung|bereich|team|service|département|direction|departamento|área|reparto|dipartimento|ufficio|setor|afdeling',
    phone:
      'phone|phone number|telephone|tel|tel.|work phone|business phone|mobile|mobile phone|mobile phone number|cell|cell phone|telefon|telefonnummer|telefon geschäftlich|rufnummer|mobil|mobiltelefon|handy|natel|téléphone|tél|tél.|numéro de téléphone|portable|téléphone portable|mobile pro|teléfono|número de teléfono|móvil|teléfono móvil|celular|telefono|numero di telefono|cellulare|telefone|número de telefone|telemóvel|telefoon|telefoonnummer|mobiel|phone work|person phone',
    whatsapp_number: 'whatsapp|whatsapp number|whatsapp-nummer',
    contact_stage:
      'stage|lifecycle stage|lifecyclestage|lebenszyklusphase|lifecycle-phase|phase du cycle de vie|étape du cycle de vie|etapa del ciclo de vida|fase del ciclo di vita|estágio do ciclo de vida|levenscyclusfase',
    lead_source:
      'source|lead source|original source|quelle|lead-quelle|leadquelle|herkunft|original-quelle|origine|source du prospect|origine de la piste|fuente|origen|origen del cliente potencial|fonte|origine lead|origem|origem do lead|bron|leadbron',
    lead_status:
      'status|lead status|lead-status|leadstatus|statut|statut du lead|statut du prospect|estado|estado del lead|stato|stato lead|status do lead|leadstatus',
    seniority_level:
      'seniority|seniority level|management level|hierarchieebene|niveau hiérarchique|antigüedad|livello di anzianità|nível hierárquico|senioriteit',
    linkedin_url: 'linkedin|linkedin profile|linkedin url|linkedin profil|linkedin-profil',
    twitter_url: 'twitter|twitter handle|twitter username',
    profile_image: 'photo|avatar|picture|foto|bild|image',
    'contact_owner.email': `contact owner|contact owner email|kontaktinhaber|zuständiger kontaktbetreuer|kontakt-zuständiger|propriétaire du contact|propietario del contacto|proprietario del contatto|proprietário do contato|eigenaar contactpersoon|lead owner|hubspot owner|${ownerWords}`,
    reports_to:
      'manager|reports to|vorgesetzter|vorgesetzte|berichtet an|supérieur|responsable hiérarchique|rattaché à|depende de|superior|jefe|riporta a|superiore|reporta a|gestor|leidinggevende|rapporteert aan',
    'reports_to.email':
      'manager email|e-mail des vorgesetzten|email du responsable|correo del jefe',
    lead_score:
      'score|lead score|hubspot score|punkte|punktzahl|lead-score|bewertung|puntuación|punteggio|pontuação',
    language:
      'language|preferred language|sprache|bevorzugte sprache|korrespondenzsprache|langue|langue préférée|idioma|idioma preferido|lingua|lingua preferita|taal|voorkeurstaal',
    last_activity_date:
      'last activity|last activity date|last contacted|letzte aktivität|zuletzt kontaktiert|letzter kontakt|dernière activité|dernier contact|última actividad|último contacto|ultima attività|última atividade|último contato|laatste activiteit|laatste contact',
    do_not_contact:
      'do not contact|do not call|email opt out|opt out|unsubscribed|kein kontakt|nicht kontaktieren|keine werbung|werbesperre|ne pas contacter|désinscrit|no contactar|no llamar|non contattare|não contatar|não contactar|niet contacteren|niet bellen',
    tags: tagWords,
    'location.city':
      'city|mailing city|town|ort|stadt|wohnort|ville|ciudad|población|città|cidade|localidade|plaats|woonplaats',
    'location.country': 'country|country region|mailing country|land|pays|país|paese|nazione',
    'location.state':
      'state|state region|mailing state|province|bundesland|kanton|région|region|provincia|regione|provincie',
    'location.zip_code':
      'zip|zip code|postal code|mailing zip|mailing zip postal code|postcode|plz|postleitzahl|code postal|código postal|cap|cep',
    'location.address':
      'street|street address|address|mailing street|straße|strasse|adresse|anschrift|dirección|calle|indirizzo|endereço|rua|morada|adres|straat',
    timezone:
      'time zone|timezone|zone|zeitzone|fuseau horaire|zona horaria|fuso orario|fuso horário|tijdzone',
    campaign: 'campaign|kampagne|campagne|campaña|campagna|campanha',
    display_id: 'contact number|contact no|record id|kontaktnummer|personennummer|external id',
  },
}
