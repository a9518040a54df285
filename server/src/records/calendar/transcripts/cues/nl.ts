import type { Cues } from './cues.ts'

const present: { [form: string]: string } = {
  stuur: 'sturen',
  maak: 'maken',
  regel: 'regelen',
  check: 'checken',
  controleer: 'controleren',
  bel: 'bellen',
  schrijf: 'schrijven',
  plan: 'plannen',
  zet: 'zetten',
  vraag: 'vragen',
  bereid: 'bereiden',
  zoek: 'zoeken',
  werk: 'werken',
  pas: 'passen',
  boek: 'boeken',
  bestel: 'bestellen',
  lever: 'leveren',
  deel: 'delen',
  test: 'testen',
  mail: 'mailen',
  neem: 'nemen',
  leg: 'leggen',
  kijk: 'kijken',
  vul: 'vullen',
  geef: 'geven',
  haal: 'halen',
  stel: 'stellen',
  rond: 'ronden',
  upload: 'uploaden',
  organiseer: 'organiseren',
  bevestig: 'bevestigen',
  vertaal: 'vertalen',
  configureer: 'configureren',
  importeer: 'importeren',
  exporteer: 'exporteren',
  verzamel: 'verzamelen',
  reserveer: 'reserveren',
  nodig: 'nodigen',
  documenteer: 'documenteren',
  onderteken: 'ondertekenen',
  bespreek: 'bespreken',
  wijzig: 'wijzigen',
  verleng: 'verlengen',
  vergelijk: 'vergelijken',
  publiceer: 'publiceren',
  installeer: 'installeren',
  bereken: 'berekenen',
  meld: 'melden',
  dien: 'dienen',
  update: 'updaten',
  verstuur: 'versturen',
  contacteer: 'contacteren',
}
const forms = Object.keys(present).join('|')
const plural = Object.values(present).join('|')
const particles =
  'op|aan|af|uit|in|voor|na|toe|samen|klaar|door|mee|terug|bij|vast|om|over|rond|vrij'

export const nl: Cues = {
  common:
    'de het een en van is dat we ik niet te op voor met zijn die er aan om dan ook nog maar bij naar als heb hebben wij jullie ja wordt dit deze wel even je kun uw ons mijn wat',
  promise:
    'ik zal|ik ga|ik kan|ik moet|ik wil|ik zou|zal ik|ga ik|kan ik|moet ik|laat mij|laat me|ik beloof|ik ben van plan',
  ours: 'wij zullen|we zullen|wij gaan|we gaan|gaan we|we kunnen|kunnen we|ons team zal|ons team gaat',
  takes:
    '(?:dat |die )?(?:doe|regel|neem|pak|check) ik(?: op me| op mij| op)?|ik (?:doe|regel|pak|neem) (?:dat|die)(?: op me| op mij| op| mee)?|daar zorg ik voor|ik zorg daarvoor|ik zorg ervoor(?= *(?:[.,;!]|$))|komt voor elkaar|laat dat maar aan mij over|zet mij daar maar op|reken op mij|dat ligt bij mij|kan ik doen|wordt geregeld|dat kan ik oppakken',
  request:
    'kun je|kunt u|kan je|kunnen jullie|zou je|zou u|zouden jullie|wil je|wilt u|willen jullie|alsjeblieft|alstublieft|graag|ik wil je vragen|ik wil u vragen|mag ik je vragen|mag ik u vragen|jij moet|u moet|je zou|u zou|het zou fijn zijn als (?:je|u|jullie)|(?:stuur|controleer|check|maak|geef|bel|mail|zet|vul|plan) (?:mij|ons|het|de|even|alsjeblieft)',
  need: 'we moeten|wij moeten|moeten we|we zouden|we dienen|iemand (?:moet|zou moeten|zal moeten)|we hebben nog .{2,40} nodig|de volgende stap is|volgende stap is|er moet|het is nodig|wat nog moet|nog te doen|er ontbreekt',
  passive:
    '(?:moet|moeten|dient|dienen) .{3,120} worden|ontbreekt nog|ontbreken nog|staat nog open|staan nog open',
  mark: 'actiepunten?|actie|to-?dos?|volgende stappen|volgende stap|taak|afspraak',
  others:
    'zorgt ervoor dat|zal|gaat|moet|kan|zou|zorgt voor|regelt|pakt|neemt|stuurt|maakt|controleert|bereidt|schrijft|plant|levert|heeft toegezegd',
  present: new RegExp(
    `(?<![\\p{L}])(?:ik (?:dan |ook |nog |wel |even )?(?<verb>${forms}|zorg)|(?<verb2>${forms}|zorg) ik|(?:wij|we) (?<verb3>${plural})|(?<verb4>${plural}) (?:wij|we))(?![\\p{L}])`,
    'iu',
  ),
  infinitive(form, rest) {
    const verb = form.toLowerCase()
    const [main = ''] = rest.split(/[,;.!?]/)
    if (verb === 'zorg') {
      const about = /\bvoor (.+)$/iu.exec(main)
      return about?.[1] ? { verb: '', rest: `Voor ${about[1]} zorgen` } : undefined
    }
    const last = new RegExp(`[ ](${particles})$`, 'iu').exec(main.trim())
    const inner = last ? main.trim().slice(0, last.index) : main
    return { verb: `${last?.[1]?.toLowerCase() ?? ''}${present[verb] ?? verb}`, rest: inner }
  },
  fill: 'je|jullie|u|hem|haar|hun|ons|mij|me|dan|ook|nog|even|wel|graag|meteen|gewoon|zeker|zelf|vast|het even|eens|alsjeblieft|alstublieft|om|nu|in elk geval|snel|straks|persoonlijk|te',
  work: 'stur|stuur|mak|maak|regel|check|controle|bel|schrij|plan|zet|vra[ag]|bereid|voorbereid|zoek|uitzoek|werk|bijwerk|uitwerk|pas|aanpas|boek|bestel|lever|aanlever|del|deel|test|mail|nem|neem|opnem|leg|vastleg|kijk|nakijk|vul|invul|gev|geef|doorgev|haal|ophal|stel|opstel|rond|afrond|upload|organise|bevestig|vertal|configur|import|export|verzamel|reserve|nodig|uitnodig|document|onderteken|besprek|wijzig|verleng|vergelijk|public|install|bereken|meld|aanmeld|dien|indien|updat|verstur|verstuur|contact|klaarzet|klaarmak|inplan|doorstur|opvrag|inricht|oplos|opless|afstem|actualiser|train|terugkoppel|opzet|aanvul|aanvra|inkoop|nabel|navra',
  idle: 'zijn|hebben|zeggen|denken|zien|weten|houden|hopen|geloven|herinneren|beginnen|stoppen|wachten|gaan|komen|toegeven|begrijpen|blijven|vinden|laten weten|doorgaan|horen|laten zien|uitleggen|proberen',
  talk: 'horen jullie mij|hoor je mij|hoort u mij|scherm|microfoon|volgende punt|volgende dia|herhalen|eerlijk zijn|ben zo terug|voorstellen|beginnen|vakantie|rondje|opname|camera|kort houden|laat ik zien|laten zien|verder met|het woord|doorgaan|te laat komen|iets zeggen|naar het volgende',
  hedge:
    'als|misschien|eventueel|wanneer|in theorie|ooit|ik vraag me af|zou mooi zijn|wie weet|idealiter|of',
  not: 'niet|nooit|geen|al gestuurd|reeds|al gedaan|gisteren|vorige week|vorige maand|niemand|al .{2,20} jaar|sinds|altijd|meestal|elke|normaal|heb .{2,80} (?:gestuurd|gemaakt|gedaan|gecontroleerd)',
  decision:
    'we hebben (?:besloten|afgesproken|gekozen|vastgesteld)|hebben we (?:besloten|afgesproken)|we besluiten|we spreken af|(?:dat is|is) (?:dus |hiermee |bij dezen )?(?:besloten|afgesproken|beslist)|afgesproken|we kiezen voor|we gaan voor|besluit:|we houden het (?:op|bij)|we blijven bij|dan (?:houden|gebruiken|nemen|beginnen) we|we zien af van|het wordt|we starten met|akkoord:',
  yes: 'ja|prima|zeker|natuurlijk|oké|ok|goed|komt goed|geen probleem|doe ik|akkoord|graag|uiteraard|klinkt goed',
  nobody: 'iemand|een van ons|men',
  clause:
    'omdat|zodat|want|aangezien|voordat|zodra|en dan|maar|anders|als|hoewel|dan kunnen|dan hebben|die|dat',
  tail: 'alsjeblieft|alstublieft|dan|oké|ok|ja|bedankt|uiterlijk|van mijn kant|onzerzijds|zo snel mogelijk|graag|hoor',
  isVerbLast: true,
  days: {
    weekdays: 'maandag dinsdag woensdag donderdag vrijdag zaterdag zondag',
    months:
      'januari februari maart april mei juni juli augustus september oktober november december',
    today: 'vandaag(?: nog)?|vanmiddag|vanavond',
    tomorrow: 'morgen(?:ochtend|middag|avond)?',
    afterTomorrow: 'overmorgen',
    nextWeek: 'volgende week|komende week|de komende week',
    thisWeek: 'deze week',
    endOfWeek:
      'eind(?:e)? van (?:de|deze) week|het eind(?:e)? van (?:de|deze) week|eind deze week|het weekend',
    endOfNextWeek: '(?:het )?eind(?:e)? (?:van )?volgende week',
    endOfMonth: '(?:het )?eind(?:e)? van (?:de|deze) maand|eind deze maand|het einde van de maand',
    numbers: 'een/één twee drie vier vijf zes zeven acht negen tien elf twaalf',
    within: 'binnen|over|in de komende|in',
    days: 'dagen|dag|werkdagen',
    weeks: 'weken|week',
    months_: 'maanden|maand',
    before: 'voor|tegen|uiterlijk|op|tot|aanstaande|komende|vóór|deze|de|het|aan|per',
    isDayFirst: true,
  },
}
