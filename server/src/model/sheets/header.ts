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
  return letters(header.replace(/\s*[([][^)\]]*[)\]]\s*$/, '')) || letters(header)
}

/** The same with the text in brackets, which says more where it is known: `Telefon (privat)`. */
export function letters(header: string): string {
  if (header.length > longestName) return header
  return header
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .replaceAll('œ', 'oe')
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** A field that a header may name, and how far back in the field's list it is: the first names are the best. */
export type Named = { target: string; rank: number }

/** The fields that each header may name, by its letters, in the order of the lists. */
export function targetsByHeader(...lists: Headers[]): Map<string, Named[]> {
  const known = new Map<string, Named[]>()
  for (const list of lists) {
    for (const [target, words] of Object.entries(list)) {
      for (const [rank, word] of words.split('|').entries()) {
        const key = letters(word)
        const its = known.get(key) ?? []
        if (!key || its.some((each) => each.target === target)) continue
        known.set(key, [...its, { target, rank }])
      }
    }
  }
  return known
}

/** Headers for the name of any record, in seven languages. */
export const nameWords =
  'name|bezeichnung|titel|title|titre|nom|intitulé|libellé|nombre|título|nome|titolo|denominazione|naam|omschrijving naam|subject|betreff|sujet|objet|asunto|oggetto|assunto|onderwerp'

export const startWords =
  'start|start date|begin|begin date|beginn|startdatum|anfangsdatum|starttermin|date de début|début|fecha de inicio|inicio|fecha inicio|data di inizio|data inizio|inizio|data de início|início|begindatum|aanvang|begins|started|starts on|timeline start|planned start|start on|begin on|startzeit|beginnt|date de debut|data inicio|aanvangsdatum|geplanter start'
export const dueWords =
  'due|due date|deadline|fällig|fällig am|fälligkeit|fälligkeitsdatum|frist|termin|enddatum|end date|ende|date d’échéance|date échéance|échéance|date de fin|fecha de vencimiento|vencimiento|fecha límite|fecha de fin|fecha fin|scadenza|data di scadenza|data scadenza|data fine|data de vencimento|prazo|data limite|data de conclusão prevista|vervaldatum|einddatum|uiterste datum|target date|zieldatum|due on|ends|end|timeline end|planned end|due at|target|finish date|finish|fertigstellung|fälligkeitstermin|endet|date limite|date butoir|échéance prévue|fecha tope|termine|entro il|deadline date|vence em|data de entrega'
export const descriptionWords =
  'description|beschreibung|notiz|notizen|bemerkung|bemerkungen|kommentar|notes|note|remarks|comments|remarque|remarques|commentaire|commentaires|descripción|notas|observaciones|comentarios|descrizione|osservazioni|commenti|descrição|observações|comentários|beschrijving|omschrijving|opmerking|opmerkingen|notities|toelichting|details|about|comment|card description|task description|body|text|long description|full comments|inhalt|anmerkung|anmerkungen|détails|detalles|dettagli|detalhes|nota|notiz text|content'
export const ownerWords =
  'owner|owner email|assigned to|assignee|responsible|account manager|inhaber|eigentümer|besitzer|zuständig|zuständiger|verantwortlich|verantwortlicher|betreuer|bearbeiter|propriétaire|responsable|attribué à|assigné à|propietario|responsable asignado|asignado a|proprietario|responsabile|assegnato a|proprietário|responsável|atribuído a|eigenaar|verantwoordelijke|toegewezen aan|owner name|owner full name|owner id|assignee email|assigned user|responsible person|person responsible|deal owner|opportunity owner|potential owner|person|people|record owner|hubspot owner id|hs owner|assignees|lead|zuständige person|verantwortliche person|besitzername|attribué|cessionnaire|personne responsable|persona responsable|encargado|persona responsabile|assegnatario|pessoa responsável|verantwoordelijke persoon|toegewezen|bearbeitet von|zugewiesen an|zugewiesene person|eigentümername|e-mail des eigentümers|kontakteigentümer|assigned to user|zuständiger mitarbeiter|zuständiger mitarbeiter für deal|dealverantwortlicher|dealinhaber|owner full|usuario asignado|utilisateur assigné|utente assegnato|toegewezen aan gebruiker|zugewiesener benutzer'
export const statusWords =
  'status|zustand|state of work|statut|état|etat|estado|stato|situação|progress status|state|current status|task state|progress|stand|fortschritt|avancement|progreso|avanzamento|voortgang'
export const tagWords =
  'tags|tag|labels|label|schlagwort|schlagworte|schlagwörter|stichwort|stichworte|stichwörter|etiketten|kennzeichnung|étiquettes|étiquette|mots-clés|etiquetas|etiqueta|etichette|etichetta|marcadores|trefwoorden|keywords|categories|category|kategorien|kategorie|catégories|categorías|categorie|categorias|categorieën|labels list|keyword|group|gruppen'
export const privateWords = 'private|privat|privé|privado|privato|vertraulich'
export const accountWords =
  'account|account name|kunde|kundenname|kundenkonto|client|nom du client|compte|nom du compte|cliente|nombre del cliente|cuenta|nombre de cuenta|conto|nome cliente|nome account|conta|nome da conta|nome do cliente|klant|klantnaam|accountnaam|customer|customer name'
export const companyWords =
  'company|company name|firma|firmenname|firmen|unternehmen|unternehmensname|gesellschaft|organisation|organization|organisation name|organization name|name der organisation|name der firma|entreprise|nom de l’entreprise|nom entreprise|société|nom de la société|raison sociale|organisme|empresa|nombre de la empresa|nombre empresa|razón social|compañía|organización|azienda|nome azienda|ragione sociale|società|organizzazione|nome da empresa|razão social|companhia|organização|bedrijf|bedrijfsnaam|onderneming|organisatie|organisatienaam|employer|arbeitgeber|associated company|associated company name|parent customer|zugeordnetes unternehmen|organizacion|associated company primary|primary associated company|associated company name primary|deal company|zugeordnetes unternehmen primär|société associée|entreprise associée|entreprise associee|empresa asociada|azienda associata|empresa associada|gekoppeld bedrijf|bijbehorend bedrijf|company organization|firmenname organisation|organisations'

/** When a record was made elsewhere, which it keeps beside the service's own time. */
export const createdWords =
  'create date|created|created at|created on|created date|created time|creation date|date created|createdate|added on|deal created|task created|erstellt|erstellt am|erstelldatum|erstellungsdatum|angelegt am|anlagedatum|date de création|créé le|créée le|date de creation|fecha de creación|creado|creado el|fecha creación|data di creazione|data creazione|creato il|data de criação|criado em|aanmaakdatum|aangemaakt|aangemaakt op|gemaakt op|add time|date added|hinzugefügt am|creado en|ajouté le|toegevoegd op'
/** When a record was last changed elsewhere. */
export const modifiedWords =
  'updated|updated at|updated on|last updated|last modified|last modified at|last modified date|last modified time|modified|modified on|modified time|update time|date modified|aktualisiert|aktualisiert am|zuletzt geändert|zuletzt geändert am|geändert am|letzte änderung|modifié le|dernière modification|date de modification|mis à jour|mis à jour le|actualizado|modificado|última modificación|fecha de modificación|aggiornato|modificato il|ultima modifica|atualizado|atualizado em|modificado em|última modificação|bijgewerkt|gewijzigd|gewijzigd op|laatst gewijzigd'
/** When a record was finished. */
export const completedWords =
  'completed at|completed on|completion date|completed date|date completed|done date|done on|resolved|resolved at|resolution date|resolved date|closed at|closed on|finished|finished on|actual end|actual end date|actual completion date|erledigt am|abgeschlossen am|abschlussdatum|fertiggestellt am|gelöst|gelöst am|erledigungsdatum|date d’achèvement|terminé le|achevé le|date de fin réelle|résolu|résolue|date de résolution|fecha de finalización|completado el|finalizado el|terminado el|resuelto|resuelta|fecha de resolución|data di completamento|completato il|risolto|concluso il|data de conclusão|concluído em|resolvido|voltooid op|voltooiingsdatum|afgerond op|opgelost|marked as done time|closed time|completed time|completion time|erledigt um|marqué comme terminé le'
export const currencyWords =
  'currency|currencyisocode|currency code|currency of value|deal currency|currency unit|währung|währungscode|devise|monnaie|code devise|moneda|divisa|código de moneda|valuta|codice valuta|moeda|código da moeda|munt|muntcode'
