import { folded } from '../../model/sheets/header.ts'

/** Words of other products and languages that mean the same, by one of ours. */
const groups = {
  // stages of deals
  qualification:
    'qualification|qualified|qualify|qualifying|qualifizierung|qualifiziert|qualifikation|qualifié|qualifiée|calificación|cualificación|calificado|qualifica|qualificato|qualificação|qualificado|kwalificatie|gekwalificeerd',
  discovery:
    'discovery|bedarfsanalyse|bedarfsermittlung|découverte|descubrimiento|scoperta|descoberta|verkenning',
  proposal:
    'proposal|proposals|proposal sent|proposal made|angebot|angebot gesendet|angebot erstellt|proposition|proposition envoyée|offre|propuesta|propuesta enviada|proposta|proposta inviata|proposta enviada|offerte|voorstel|offerte verzonden',
  negotiation:
    'negotiation|negotiations|negotiating|in negotiation|verhandlung|verhandlungen|in verhandlung|négociation|en négociation|negociación|en negociación|negoziazione|in trattativa|negociação|em negociação|onderhandeling|in onderhandeling',
  // priorities
  urgent:
    'urgent|critical|blocker|highest|very high|showstopper|p0|dringend|kritisch|sehr hoch|höchste|urgente|critique|très haute|la plus haute|crítica|crítico|muy alta|critica|molto alta|muito alta|kritiek|spoed|zeer hoog|dringlich',
  high: 'high|major|important|p1|hoch|wichtig|haute|élevée|majeure|alta|alto|mayor|importante|maggiore|hoog|belangrijk',
  medium:
    'medium|normal|moderate|regular|p2|mittel|mittlere|moyenne|moyen|normale|media|medio|média|médio|gemiddeld|normaal|middel',
  low: 'low|lowest|minor|trivial|very low|p3|p4|niedrig|gering|sehr niedrig|geringfügig|faible|basse|mineure|baja|bajo|menor|bassa|basso|minore|baixa|baixo|laag',
  // leads and people
  new: 'new|neu|nouveau|nouvelle|nuevo|nueva|nuovo|nuova|novo|nova|nieuw|not contacted',
  contacted:
    'contacted|kontaktiert|contacté|contactado|contattato|gecontacteerd|attempted to contact|connected',
  unqualified:
    'unqualified|not qualified|disqualified|junk lead|unqualifiziert|nicht qualifiziert|non qualifié|no calificado|non qualificato|não qualificado',
  lead: 'lead|leads|interessent|prospect|marketing qualified lead|marketingqualifiedlead|mql|sales qualified lead|salesqualifiedlead|sql|prospecto',
  opportunity: 'opportunity|verkaufschance|chance|opportunité|oportunidad|opportunità|oportunidade',
  customer: 'customer|client|kunde|kundin|cliente|klant',
  advocate: 'advocate|evangelist|fürsprecher|évangéliste',
  partner: 'partner|partenaire|socio|parceiro',
  // statuses, by category
  not_started:
    'not started|to do|todo|open|new|backlog|selected for development|reopened|planned|scheduled|upcoming|pending|waiting for support|offen|zu erledigen|neu|geplant|nicht begonnen|nicht gestartet|ausstehend|à faire|ouvert|ouverte|nouveau|non commencé|pas commencé|planifié|por hacer|pendiente|sin empezar|no iniciado|abierto|abierta|nuevo|da fare|aperto|aperta|non iniziato|nuovo|a fazer|aberto|aberta|não iniciado|novo|te doen|nog te doen|niet gestart|nieuw|gepland',
  in_progress:
    'in progress|inprogress|doing|started|working on it|active|ongoing|in review|review|in development|in testing|testing|under review|current|on track|at risk|off track|late|overdue|needs review|waiting for review|ready for review|code review|to be tested|qa|in bearbeitung|in arbeit|laufend|begonnen|aktiv|in prüfung|en cours|en cours de réalisation|commencé|en progreso|en curso|empezado|en revisión|in corso|in lavorazione|iniziato|em andamento|em progresso|iniciado|bezig|in behandeling|in uitvoering|lopend|mee bezig',
  on_hold:
    'on hold|onhold|hold|paused|blocked|stuck|waiting|waiting for customer|deferred|waiting on someone else|pausiert|blockiert|wartend|wartet|zurückgestellt|angehalten|en attente|en pause|bloqué|suspendu|en espera|bloqueado|pausado|aplazado|in attesa|sospeso|bloccato|in pausa|em espera|pausado|suspenso|in de wacht|geblokkeerd|wachtend|uitgesteld',
  completed:
    'completed|complete|done|closed|resolved|finished|fixed|live|delivered|shipped|erledigt|abgeschlossen|fertig|geschlossen|gelöst|behoben|fertiggestellt|beendet|terminé|terminée|fini|achevé|fait|résolu|résolue|fermé|fermée|clôturé|clos|completado|completada|hecho|terminado|terminada|finalizado|cerrado|cerrada|resuelto|resuelta|completato|completata|fatto|chiuso|chiusa|risolto|risolta|terminato|concluso|concluído|concluída|feito|resolvido|fechado|finalizado|voltooid|afgerond|gereed|klaar|gesloten|opgelost',
  cancelled:
    'cancelled|canceled|won t do|wont do|wontfix|rejected|declined|duplicate|abandoned|abgebrochen|storniert|verworfen|abgelehnt|annulé|annulée|abandonné|rejeté|cancelado|cancelada|descartado|rechazado|annullato|annullata|rifiutato|scartato|geannuleerd|afgewezen|vervallen',
}
export type Meaning = keyof typeof groups

const meanings = new Map<string, Meaning[]>()
for (const [meaning, words] of Object.entries(groups) as [Meaning, string][]) {
  for (const word of words.split('|')) {
    const key = folded(word)
    const before = meanings.get(key) ?? []
    if (!before.includes(meaning)) meanings.set(key, [...before, meaning])
  }
}

/** What a word means, of these meanings; undefined if it means none of them. */
export function meaningOf<M extends Meaning>(text: string, among: readonly M[]): M | undefined {
  const found = meanings.get(folded(text)) ?? []
  return among.find((meaning) => found.includes(meaning))
}

/** Whether two words mean the same, such as `Major` and `high`. */
export function meanSame(one: string, other: string): boolean {
  const first = meanings.get(folded(one)) ?? []
  const second = meanings.get(folded(other)) ?? []
  return first.some((meaning) => second.includes(meaning))
}

/** How likely deals in an open stage of another product are to be won, in per cent, by its words. */
const chances: { [words: string]: number } = {
  'prospecting|new|lead in|new lead|initial contact|incoming|qualified|prospektion|neu|nouveau|nuevo|nuovo|novo|nieuw|akquise': 10,
  'appointment scheduled|contact made|needs analysis|first contact|meeting scheduled|contacted|intro call|termin vereinbart|kontakt aufgenommen|erstkontakt|erstgespräch|rendez-vous pris|rendez-vous planifié|contact établi|cita programada|contacto realizado|appuntamento fissato|contatto effettuato|reunião agendada|contato feito|afspraak gepland|contact gelegd': 20,
  'qualified to buy|demo scheduled|demo|needs defined|preparation|prepare documents|für kauf qualifiziert|demo geplant|qualifié pour achat|démo planifiée|calificado para comprar|demo programada|qualificato per acquisto|demo programmata|qualificado para comprar|demo agendada|gekwalificeerd voor aankoop': 40,
  'value proposition|presentation scheduled|proposal made|id decision makers|identify decision makers|quote sent|prepayment invoice|präsentation vereinbart|präsentation geplant|présentation planifiée|presentación programada|presentazione programmata|apresentação agendada|presentatie gepland': 55,
  'decision maker bought in|perception analysis|proposal price quote|negotiations started|verbal commitment|executing|entscheidungsträger überzeugt|entscheider überzeugt|décideur convaincu|décideur acquis|responsable de decisiones convencido|decisore convinto|tomador de decisão convencido|beslisser akkoord': 78,
  'contract sent|negotiation review|final invoice|contract review|vertrag gesendet|vertrag versendet|contrat envoyé|contrato enviado|contratto inviato|contract verzonden|closing': 90,
}
const chanceBy = new Map(
  Object.entries(chances).flatMap(([words, chance]) =>
    words.split('|').map((word): [string, number] => [folded(word), chance]),
  ),
)

/** How likely deals in a stage of another product are to be won, in per cent; undefined for an unknown word. */
export function chanceOf(text: string): number | undefined {
  return chanceBy.get(folded(text))
}
