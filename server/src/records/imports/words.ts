import { folded } from '../../model/sheets/header.ts'

const oneOf = (words: string) => {
  const known = new Set(words.split('|').map(folded))
  return (text: string) => known.has(folded(text))
}

/** Whether a text is a form of address, which some programs call the title of a person. */
export const isSalutation = oneOf(
  'mr|mrs|ms|miss|mx|dr|prof|professor|sir|madam|dr med|prof dr|dr ing|herr|frau|hr|fr|m|mme|mlle|monsieur|madame|sr|sra|srta|señor|señora|sig|sig ra|signor|signora|dott|dott ssa|senhor|senhora|dhr|mevr|mevrouw|meneer|de heer|rev|hon',
)

/** Whether a text says that a row of a list of people is a company. */
export const isCompanyWord = oneOf(
  'firma|company|companies|business|organisation|organization|unternehmen|geschäftlich|geschäft|gewerblich|juristische person|b2b|société|entreprise|professionnel|empresa|compañía|negocio|azienda|società|impresa|ditta|empresarial|pessoa jurídica|bedrijf|zakelijk|organisatie|yes company',
)
const isPersonWord = oneOf(
  'privat|private|person|individual|contact|kontakt|privatperson|natürliche person|b2c|personal|particulier|personne|contacto|persona|particular|persona física|privato|contatto|persona fisica|pessoa física|pessoa|contato|particulier|persoon',
)

/** Whether a text says that a row of a list of people is a company, or a person. */
export const isKind = (text: string): boolean => isCompanyWord(text) || isPersonWord(text)

const yes = new Set(
  'true|yes|y|1|on|x|✓|✔|checked|done|ja|j|wahr|erledigt|oui|o|vrai|fait|sí|si|s|verdadero|hecho|sì|vero|fatto|sim|verdadeiro|feito|waar|gedaan'.split(
    '|',
  ),
)
const no = new Set(
  'false|no|n|0|off|✗|✘|unchecked|undone|not done|to do|todo|open|nein|falsch|offen|non|faux|à faire|falso|por hacer|da fare|não|nao|a fazer|nee|onwaar|te doen'.split(
    '|',
  ),
)

/** Whether a text says yes or no; undefined for any other. */
export function yesOrNo(text: string): boolean | undefined {
  const word = text.toLowerCase()
  if (yes.has(word)) return true
  return no.has(word) ? false : undefined
}

/** Whether most texts say yes or no; what the others mean is reported. */
export const areAnswers = (values: string[]): boolean =>
  2 * values.filter((each) => yesOrNo(each) !== undefined).length > values.length

/** Whether a text says that there is none: no priority, or nobody whose task it is. */
export const isNone = oneOf(
  'none|no priority|not set|unassigned|unassigned user|nobody|no owner|no one|keine|keiner|niemand|nicht zugewiesen|kein zuständiger|aucun|aucune|non attribué|non assigné|ninguno|ninguna|nadie|sin asignar|nessuno|nessuna|non assegnato|nenhum|nenhuma|ninguém|não atribuído|geen|niet toegewezen',
)

/** Whether a header speaks of deals. */
export const isDealWord = (header: string): boolean =>
  /deal|opportuni|gesch(ä|ae)ft|trato|negocio|negócio|affaire|affare|trattativa/i.test(header)

/** Whether a column may name people: small numbers are how many there are. */
export const isPersonColumn = (values: string[]): boolean =>
  !values.every((each) => /^\d{1,4}$/.test(each))

/** Whether a text says that a record is in use, which is no status of a lead. */
export const isActivity = oneOf(
  'active|inactive|aktiv|inaktiv|actif|inactif|activo|inactivo|attivo|inattivo|ativo|inativo|actief|inactief|enabled|disabled',
)

const won = oneOf(
  'won|closed won|closedwon|closed as won|deal won|win|sold|gewonnen|abgeschlossen und gewonnen|geschlossen gewonnen|gagné|gagnée|fermé gagné|fermée gagnée|conclu|conclue|ganado|ganada|cerrado ganado|cierre ganado|vinto|vinta|chiuso vinto|chiusa vinta|chiuso con successo|ganho|ganha|fechado ganho|negócio fechado|deal gewonnen|gesloten gewonnen|gewonnen gesloten|success|successful|signed|contract signed',
)
const lost = oneOf(
  'lost|closed lost|closedlost|closed as lost|deal lost|loss|verloren|abgeschlossen und verloren|geschlossen verloren|perdu|perdue|fermé perdu|fermée perdue|perdido|perdida|cerrado perdido|cierre perdido|perso|persa|chiuso perso|chiusa persa|fechado perdido|negócio perdido|deal verloren|gesloten verloren|verloren gesloten|junk|rejected|failed|lose|closed lost to competition|disqualified',
)
const open = oneOf(
  'open|opened|in progress|ongoing|active|offen|in bearbeitung|laufend|ouvert|ouverte|en cours|abierto|abierta|en curso|aperto|aperta|in corso|aberto|aberta|em aberto|em andamento|lopend|new|deleted',
)

/** Whether a deal is won, lost or open by a word; undefined for any other. */
export function outcomeOf(text: string): 'won' | 'lost' | 'open' | undefined {
  if (won(text)) return 'won'
  if (lost(text)) return 'lost'
  return open(text) ? 'open' : undefined
}
