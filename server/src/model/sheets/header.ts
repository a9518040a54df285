/** Names that programs and people use as the header for a field, in several languages, separated by `|`. */
export type Headers = { [target: string]: string }

/** The maximum length of a column's name. */
export const longestName = 255

/**
 * A header in the form that is compared: only letters and digits, in lower case, without accents and text in brackets.
 * A text that is too long for a header is not changed, since folding takes quadratic time.
 */
export function folded(header: string): string {
  if (header.length > longestName) return header
  const plain = header
    .replace(/\s*[([][^)\]]*[)\]]\s*$/, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .replaceAll('œ', 'oe')
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
  return plain || header.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** The field of each header, by the folded text; if several fields have it, the first one. */
export function targetsByHeader(...lists: Headers[]): Map<string, string> {
  const known = new Map<string, string>()
  for (const list of lists) {
    for (const [target, words] of Object.entries(list)) {
      for (const word of words.split('|')) {
        const key = folded(word)
        if (key && !known.has(key)) known.set(key, target)
      }
    }
  }
  return known
}

/** Headers for the name of any record, in seven languages. */
export const nameWords =
  'name|bezeichnung|titel|title|nom|intitulé|libellé|nombre|título|nome|titolo|denominazione|naam|omschrijving naam|subject|betreff|sujet|objet|asunto|oggetto|assunto|onderwerp'

export const startWords =
  'start|start date|begin|begin date|beginn|startdatum|anfangsdatum|starttermin|date de début|début|fecha de inicio|inicio|fecha inicio|data di inizio|data inizio|inizio|data de início|início|begindatum|aanvang'
export const dueWords =
  'due|due date|deadline|fällig|fällig am|fälligkeit|fälligkeitsdatum|frist|termin|enddatum|end date|ende|date d’échéance|date échéance|échéance|date de fin|fecha de vencimiento|vencimiento|fecha límite|fecha de fin|fecha fin|scadenza|data di scadenza|data scadenza|data fine|data de vencimento|prazo|data limite|data de conclusão prevista|vervaldatum|einddatum|uiterste datum|target date|zieldatum'
export const descriptionWords =
  'description|beschreibung|notiz|notizen|bemerkung|bemerkungen|kommentar|notes|note|remarks|comments|remarque|remarques|commentaire|commentaires|descripción|notas|observaciones|comentarios|descrizione|osservazioni|commenti|descrição|observações|comentários|beschrijving|omschrijving|opmerking|opmerkingen|notities|toelichting|details|about'
export const ownerWords =
  'owner|owner email|assigned to|assignee|responsible|account manager|inhaber|eigentümer|besitzer|zuständig|zuständiger|verantwortlich|verantwortlicher|betreuer|bearbeiter|propriétaire|responsable|attribué à|assigné à|propietario|responsable asignado|asignado a|proprietario|responsabile|assegnato a|proprietário|responsável|atribuído a|eigenaar|verantwoordelijke|toegewezen aan'
export const statusWords =
  'status|zustand|state of work|statut|état|etat|estado|stato|situação|progress status'
export const tagWords =
  'tags|tag|labels|label|schlagwort|schlagworte|schlagwörter|stichwort|stichworte|stichwörter|etiketten|kennzeichnung|étiquettes|étiquette|mots-clés|etiquetas|etiqueta|etichette|etichetta|marcadores|trefwoorden|keywords'
export const privateWords = 'private|privat|privé|privado|privato|vertraulich'
export const accountWords =
  'account|account name|kunde|kundenname|kundenkonto|client|nom du client|compte|nom du compte|cliente|nombre del cliente|cuenta|nombre de cuenta|conto|nome cliente|nome account|conta|nome da conta|nome do cliente|klant|klantnaam|accountnaam|customer|customer name'
export const companyWords =
  'company|company name|firma|firmenname|firmen|unternehmen|unternehmensname|gesellschaft|organisation|organization|organisation name|organization name|name der organisation|name der firma|entreprise|nom de l’entreprise|nom entreprise|société|nom de la société|raison sociale|organisme|empresa|nombre de la empresa|nombre empresa|razón social|compañía|organización|azienda|nome azienda|ragione sociale|società|organizzazione|nome da empresa|razão social|companhia|organização|bedrijf|bedrijfsnaam|onderneming|organisatie|organisatienaam|employer|arbeitgeber|associated company|associated company name|parent customer|zugeordnetes unternehmen'
