import type { Cues } from './cues.ts'

const stems =
  'schicke|sende|mache|erstelle|bereite|kläre|prüfe|frage|rufe|richte|lege|schreibe|aktualisiere|organisiere|buche|bestelle|übernehme|kümmere|teste|lade|stelle|gebe|reiche|fasse|plane|melde|stimme|vereinbare|besorge|korrigiere|passe|trage|hole|schaue|schau|setze|liefere|ergänze|überarbeite|dokumentiere|informiere|beantrage|gehe|checke|konfiguriere|importiere|exportiere|migriere|übersetze|bestätige|sammle|verschicke|maile|leite|suche|finde|bringe|ändere|verschiebe|reserviere|koordiniere|rechne|kalkuliere|entwerfe|formuliere|spreche|kontaktiere|verlängere|erneuere|lösche|installiere|messe|vergleiche|zeichne|unterschreibe|nehme|baue|ziehe|bitte|veröffentliche|protokolliere|erledige'
const particles =
  'ab|an|auf|aus|ein|vor|nach|zu|zusammen|hoch|runter|weiter|bereit|fertig|um|durch|rüber|mit|zurück|rein|raus|her|hin|fest|bei|dazu|frei|los'
const irregular: { [form: string]: string } = {
  schau: 'schauen',
  sammle: 'sammeln',
  kümmere: 'kümmern',
  ändere: 'ändern',
  liefere: 'liefern',
}

export const de: Cues = {
  common:
    'der die das und ist nicht ich wir sie zu den mit ein eine auf für es im dem auch noch bis dann haben sind wird das von aber wie habe mir uns ja',
  promise:
    'ich werde|ich würde|ich kann|ich könnte|ich muss|ich soll|ich sollte|ich will|ich möchte|lassen Sie mich|lass mich|werde ich|kann ich|muss ich|ich habe vor|ich verspreche',
  ours: 'wir werden|wir würden|werden wir|wir können|können wir|unser Team wird|bei uns wird',
  takes:
    '(?:das |den Punkt |die Aufgabe )?(?:mache|übernehme|erledige|kläre|organisiere|regle|prüfe) ich|ich (?:mache|übernehme|erledige|kläre|organisiere|regle) (?:das|den Punkt|die Aufgabe)|das (?:nehme ich|geht auf mich|liegt bei mir|kommt von mir)|ich kümmere mich (?:darum|drum)|darum kümmere ich mich|da kümmere ich mich|kann ich (?:machen|übernehmen)|wird gemacht|ich bin dran|schreib(?:en Sie)? mich auf|ich nehme das mit|das nehme ich mit',
  request:
    'können Sie|könnten Sie|kannst du|könntest du|würden Sie|würdest du|könntet ihr|könnt ihr|bitte|ich bitte Sie|ich bräuchte von (?:Ihnen|dir|euch)|Sie müssten|du müsstest|Sie sollten|du solltest|magst du|mögen Sie|es wäre (?:gut|super|toll|hilfreich), wenn (?:Sie|du)|darf ich Sie bitten|wären Sie so nett|wärst du so nett|(?:schicken|senden|prüfen|klären|machen|geben|stellen|bereiten|rufen|melden|schreiben|tragen|legen|laden) Sie|(?:schick|sende|prüf|klär|mach|gib|stell|bereite|ruf|melde|schreib|trag|leg|lade) (?:mir|uns|bitte|doch|das|den|die)',
  need: 'wir müssen|wir müssten|wir sollten|wir sollen|wir brauchen noch|müssen wir|müssten wir|sollten wir|(?:jemand|irgendwer|einer) (?:muss|müsste|sollte|soll)|es muss|es müsste|nächster Schritt ist|der nächste Schritt ist|man müsste|man sollte|es bleibt zu|offen ist noch|zu tun ist noch',
  passive:
    '(?:muss|müssen|müsste|sollte|sollten) .{3,120} werden|fehlt noch|fehlen noch|steht noch aus|stehen noch aus|ist noch offen',
  mark: 'Aufgabe|To-?dos?|nächste Schritte|nächster Schritt|Action Item|offener Punkt|Maßnahme',
  others:
    'wird|würde|soll|sollte|muss|kann|kümmert sich um|übernimmt|macht|schickt|sendet|bereitet|erstellt|klärt|prüft|organisiert|liefert|schreibt|plant|bucht|hat zugesagt',
  present: new RegExp(
    `(?<![\\p{L}])(?:ich (?:dann |auch |noch |gerne |mal )?(?<verb>${stems})|(?<verb2>${stems}) ich|wir (?<verb3>(?:${stems})n)|(?<verb4>(?:${stems})n) wir)(?![\\p{L}])`,
    'iu',
  ),
  infinitive(form, rest) {
    const verb = form.toLowerCase().replace(/en$/, 'e')
    const infinitive = irregular[verb] ?? `${verb}n`
    const [main = ''] = rest.split(/[,;.!?]/)
    const last = new RegExp(`[ ](${particles})$`, 'iu').exec(main.trim())
    const inner = last ? main.trim().slice(0, last.index) : main
    if (verb === 'kümmere') {
      const about = /\bum (.+)$/iu.exec(inner)
      return about?.[1] ? { verb: '', rest: `Um ${about[1]} kümmern` } : undefined
    }
    if (verb === 'gehe' && last?.[1] !== 'durch') return undefined
    if (verb === 'finde' && last?.[1] !== 'heraus') return undefined
    return { verb: `${last?.[1]?.toLowerCase() ?? ''}${infinitive}`, rest: inner }
  },
  fill: 'mir|dir|euch|Ihnen|ihnen|ihm|ihr|uns|Sie|das dann|dann|noch|mal|auch|gleich|kurz|bitte|gern|gerne|einfach|selbst|schon|ja|also|eben|doch|jetzt|mich|noch mal|nochmal|heute noch|du|sicher|auf jeden Fall|es|wohl|persönlich|rasch|schnell',
  work: `sprechen|(?:${stems.replaceAll('|', 'n?|')}n?)|schicken|senden|machen|erstellen|vorbereiten|klären|prüfen|fragen|nachfragen|anrufen|einrichten|anlegen|schreiben|kümmern|laden|hochladen|einladen|stellen|bereitstellen|zusammenstellen|geben|reichen|einreichen|zusammenfassen|planen|einplanen|abstimmen|besorgen|anpassen|eintragen|einholen|anschauen|nachschauen|umsetzen|liefern|ergänzen|nachliefern|durchgehen|sammeln|heraussuchen|herausfinden|ändern|abschließen|aufsetzen|freigeben|weitergeben|weiterleiten|zusenden|rausschicken|testen|aufnehmen|besprechen|schulen|aktualisieren|fertigstellen|buchen|unterschreiben|verlängern|nachreichen|bestellen`,
  idle: 'sein|haben|sagen|denken|sehen|wissen|mögen|lieben|hoffen|glauben|erinnern|erwähnen|reden|anfangen|starten|warten|gehen|kommen|zugeben|verstehen|bleiben|meinen|finden|kurz sagen|weitermachen|fortfahren|zeigen|hören|brauchen',
  talk: 'hören Sie mich|hörst du mich|hört ihr mich|man mich|Bildschirm|stumm|Mikro|weitermachen|nächsten Punkt|nächste Folie|wiederholen|ehrlich sein|bin gleich zurück|vorstellen|anfangen|loslegen|zusammenfassend|Urlaub|im Urlaub|kurz halten|das Wort|Aufnahme|Kamera|verstehe|durch die Agenda|zum nächsten|übergeben an|zeige ich Ihnen|zeigen|dazu sagen|kommen wir zu|noch jemand|losgehen',
  hedge:
    'wenn|falls|vielleicht|eventuell|theoretisch|irgendwann|mal sehen|wäre schön|ich frage mich|möglicherweise|ob',
  not: 'nicht|nie|kein|keine|keinen|schon geschickt|bereits|habe .{2,80} (?:geschickt|gesendet|gemacht|geprüft|erstellt)|gestern|letzte Woche|letzten Monat|niemand muss|seit|immer|normalerweise|jeden|jede Woche|meistens',
  decision:
    'wir haben (?:beschlossen|entschieden|vereinbart|uns geeinigt|uns entschieden|festgelegt)|haben wir (?:beschlossen|entschieden|vereinbart)|wir einigen uns|wir entscheiden uns|(?:das ist|ist) (?:damit |also |hiermit )?(?:beschlossen|entschieden|abgemacht|ausgemacht|vereinbart)|abgemacht|dann machen wir es so|wir bleiben bei|bleiben wir bei|wir nehmen|dann nehmen wir|wir gehen mit|Entscheidung:|Beschluss:|wir verzichten auf|wir starten mit|wir legen fest|es bleibt bei|bleibt es bei|es bleibt dabei',
  yes: 'ja|klar|gern|gerne|sicher|natürlich|okay|ok|mache ich|in Ordnung|alles klar|kein Problem|passt|gut|jawohl|selbstverständlich',
  nobody: 'jemand|irgendwer|einer von uns|man',
  clause:
    'weil|damit|denn|da wir|sodass|so dass|bevor|sobald|und dann|aber|sonst|wenn|falls|obwohl|dann können|dann haben|die|der|das|was',
  tail: 'bitte|dann|ok|okay|ja|danke|spätestens|oder|rüber|von meiner Seite|unsererseits|meinerseits|so schnell wie möglich',
  isVerbLast: true,
  days: {
    weekdays: 'montag dienstag mittwoch donnerstag freitag samstag/sonnabend sonntag',
    months:
      'januar/jan februar/feb märz april mai juni juli august september oktober november dezember',
    today: 'heute(?: noch| Abend| Nachmittag)?',
    tomorrow: 'morgen(?: früh| Vormittag| Nachmittag| Abend)?',
    afterTomorrow: 'übermorgen',
    nextWeek: 'nächste Woche|nächster Woche|kommende Woche|kommender Woche|der nächsten Woche',
    thisWeek: 'diese Woche|dieser Woche',
    endOfWeek: 'Ende der Woche|Ende dieser Woche|Wochenende|Ende diese Woche|zum Wochenschluss',
    endOfNextWeek: 'Ende nächster Woche|Ende der nächsten Woche|Ende kommender Woche',
    endOfMonth: 'Ende des Monats|Monatsende|Ende dieses Monats|Ende vom Monat',
    numbers: 'einer/einem/ein/eine zwei drei vier fünf sechs sieben acht neun zehn elf zwölf',
    within: 'in|innerhalb von|binnen|in den nächsten|innerhalb der nächsten',
    days: 'Tagen|Tag|Tage|Werktagen|Arbeitstagen',
    weeks: 'Wochen|Woche',
    months_: 'Monaten|Monat',
    before:
      'bis|am|zum|vor|spätestens|bis zum|ab|kommenden|nächsten|diesen|dem|den|der|im|in der|zu',
    isDayFirst: true,
  },
}
