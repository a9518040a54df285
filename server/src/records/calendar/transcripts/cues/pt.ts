import type { Cues } from './cues.ts'

const present: { [form: string]: string } = {
  envio: 'enviar',
  mando: 'mandar',
  preparo: 'preparar',
  faço: 'fazer',
  reviso: 'revisar',
  revejo: 'rever',
  ligo: 'ligar',
  escrevo: 'escrever',
  atualizo: 'atualizar',
  organizo: 'organizar',
  reservo: 'reservar',
  peço: 'pedir',
  crio: 'criar',
  partilho: 'partilhar',
  compartilho: 'compartilhar',
  verifico: 'verificar',
  confirmo: 'confirmar',
  testo: 'testar',
  termino: 'terminar',
  marco: 'marcar',
  agendo: 'agendar',
  corrijo: 'corrigir',
  consulto: 'consultar',
  coloco: 'colocar',
  elaboro: 'elaborar',
  entrego: 'entregar',
  contacto: 'contactar',
  configuro: 'configurar',
  redijo: 'redigir',
  traduzo: 'traduzir',
  completo: 'completar',
  preencho: 'preencher',
  instalo: 'instalar',
  comparo: 'comparar',
  calculo: 'calcular',
  assino: 'assinar',
  publico: 'publicar',
  importo: 'importar',
  exporto: 'exportar',
  trato: 'tratar',
  procuro: 'procurar',
  monto: 'montar',
  passo: 'passar',
  finalizo: 'finalizar',
  ponho: 'pôr',
}
const future: { [form: string]: string } = {
  farei: 'fazer',
  direi: '',
  serei: '',
  estarei: '',
  terei: '',
  irei: '',
  poderei: '',
  verei: '',
  saberei: '',
  virei: '',
  voltarei: '',
  porei: 'pôr',
  trarei: 'trazer',
}
const pronouns = 'lhe|lhes|te|vos|vocês|o|a|os|as|me|nos|se'

export const pt: Cues = {
  common:
    'o a os as de que e é em um uma por para com não se do da no na mais mas nós já está são muito isso isto sim temos você também ao pelo dos das ele foi',
  promise:
    'vou|eu vou|posso|eu posso|devo|tenho de|tenho que|preciso de|pretendo|fico de|fico responsável por|encarrego-me de|ocupo-me de|comprometo-me a|me comprometo a|quero|deixe-me|deixa-me|deixem-me|prometo|eu trato de',
  ours: 'vamos|nós vamos|podemos|a nossa equipa vai|a nossa equipe vai|do nosso lado vamos|a gente vai',
  takes:
    '(?:eu )?trato (?:disso|eu disso)|eu faço isso|faço eu|deixa(?:-me)? comigo|deixe comigo|deixem comigo|encarrego-me disso|eu me encarrego(?: disso)?|fica comigo|isso é comigo|conte comigo|contem comigo|pode deixar|eu fico com isso|eu cuido disso|cuido disso|eu assumo(?: isso)?',
  request:
    'pode|podes|poderia|podia|podias|podem|poderiam|você pode|você poderia|consegue|consegues|por favor|peço-lhe que|peço-te que|preciso que|gostava que|gostaria que|deveria|devias|você tem de|tens de|importa-se de|se importaria de|seria bom que|agradecia que|(?:envie|mande|prepare|verifique|confirme|reveja|envia|manda|prepara|verifica)(?:-me|-nos|-lhe)?',
  need: 'temos de|temos que|devemos|deveríamos|devíamos|precisamos de|precisamos|é preciso|é necessário|alguém (?:tem de|tem que|deve|deveria|devia|precisa de)|falta|o próximo passo é|resta|há que',
  passive:
    '(?:deve|devem|tem de|têm de|tem que|precisa de|deveria) ser|ainda falta|ainda faltam|está pendente|estão pendentes',
  mark: 'tarefas?|ação|pendentes?|próximos passos|próximo passo|a fazer',
  others:
    'vai|deve|deveria|tem de|tem que|pode|encarrega-se de|trata de|trata do|trata da|fica de|prepara|envia|manda|verifica|enviará|preparará|fará|cuida de|cuida da|cuida do',
  present: new RegExp(
    `(?<![\\p{L}])(?:(?:eu |já |amanhã |hoje |e |depois |então )|(?:(?:${pronouns}) ))*(?:(?<verb>${Object.keys(present).join('|')})|(?<verb2>[\\p{L}]{3,20}rei))(?:-(?:lhe|lhes|te|vos|o|a|os|as))?(?![\\p{L}])`,
    'iu',
  ),
  infinitive(form, rest) {
    const verb = form.toLowerCase()
    const known = present[verb] ?? future[verb]
    if (known === '') return undefined
    return { verb: known ?? verb.replace(/rei$/, 'r'), rest }
  },
  fill: 'lhe|lhes|te|vos|nos|me|também|já|agora|depois|então|ainda|de|que|eu|por favor|rapidamente|e|você|vocês|tentar|com certeza|mesmo|mesma|a|lá|logo',
  work: 'envi|mand|prepar|fa[zç]|fei|revis|rever|revej|lig(?:ar|o|ue)|escrev|atualiz|organiz|reserv|ped|peç|cri(?:ar|o|e)|partilh|compartilh|verific|confirm|test|termin|marc|agend|corr[ei]|consult|coloc|elabor|entreg|contact|contat|configur|redi[gj]|traduz|complet|preench|instal|compar|calcul|assin|public|import|export|trat|procur|mont(?:ar|o)|pass(?:ar|o|e)|finaliz|p[ôo]r|ponh|solicit|esclarec|defin|analis|avali|negoci|convid|formar|plane|migr|modific|mover|alter|renov|list(?:ar|o)|recolh|reun|avis|inform|estim|resolv|valid|document|cuid|trazer|enviem|fech|conclu|levant|apresent|fal(?:ar|o) com',
  idle: 'ser|estar|ter|dizer|pensar|ver|saber|querer|esperar|achar|lembrar|começar|parar|ir|vir|admitir|entender|ficar|seguir|ouvir|explicar|mostrar|comentar|fazer uma pausa|tentar|falar(?! com)',
  talk: 'me ouvem|me ouves|ouvem-me|ouves-me|conseguem ouvir|ecrã|tela|microfone|próximo ponto|slide|diapositivo|repetir|ser sincero|ser sincera|ser honesto|apresentar-me|me apresentar|começar|férias|ronda|rodada|grav|câmara|câmera|ser breve|mostro|mostrar|avançar|volto já|passar a palavra|continuar|passamos|chegar atrasad',
  hedge:
    'se|talvez|quando|em teoria|um dia|pergunto-me|seria bom|logo se vê|idealmente|porventura|quem sabe',
  not: 'não|nunca|já enviei|já mandei|já está|já foi|ontem|na semana passada|no mês passado|ninguém|enviámos|enviamos ontem|enviei|fiz|tampouco|há (?:\\p{L}+) (?:anos|meses|semanas)|desde|sempre|normalmente|cada|todos os dias',
  decision:
    '(?:decidimos|acordámos|acordamos|combinámos|combinamos|escolhemos|optámos por|optamos por)|fica (?:decidido|acordado|combinado)|ficou (?:decidido|acordado|combinado)|está (?:decidido|combinado)|vamos com|ficamos com|decisão:|então (?:mantemos|usamos|ficamos|começamos|arrancamos)|mantemos|prescindimos de|avançamos com|desistimos de',
  yes: 'sim|claro|está bem|tudo bem|certo|combinado|com certeza|perfeito|sem problema|ok|pois|com gosto|pode deixar|muito bem',
  nobody: 'alguém|um de nós|algum de nós',
  clause:
    'porque|para que|já que|por isso|pois|uma vez que|antes que|assim que|e depois|mas|senão|se|embora|assim|de modo que|e assim',
  tail: 'por favor|então|ok|obrigado|obrigada|também|o mais tardar|no máximo|quanto antes|logo que possível|da minha parte|do nosso lado|do meu lado|sem falta|assim que possível',
  isVerbLast: false,
  days: {
    weekdays:
      'segunda-feira/segunda terça-feira/terça quarta-feira/quarta quinta-feira/quinta sexta-feira/sexta sábado domingo',
    months:
      'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
    today: 'hoje(?: mesmo)?|esta tarde|hoje à tarde|hoje à noite',
    tomorrow: 'amanhã(?: de manhã| à tarde)?',
    afterTomorrow: 'depois de amanhã',
    nextWeek: '(?:n?a )?próxima semana|(?:n?a )?semana que vem|(?:n?a )?semana seguinte',
    thisWeek: '(?:n?esta|n?essa) semana',
    endOfWeek: '(?:o |ao )?f(?:im|inal) d(?:a|esta) semana|fim de semana',
    endOfNextWeek: '(?:o |ao )?f(?:im|inal) da (?:próxima semana|semana que vem)',
    endOfMonth: '(?:o |ao )?f(?:im|inal) d(?:o|este) mês',
    numbers: 'um/uma dois/duas três quatro cinco seis sete oito nove dez onze doze',
    within: 'em|dentro de|daqui a|nos próximos|nas próximas',
    days: 'dias?|dias úteis',
    weeks: 'semanas?',
    months_: 'mês|meses',
    before:
      'até|até a|até ao|até à|antes|antes de|para|para a|na|no|a|o|à|ao|próxima|próximo|dia|o mais tardar|esta|este',
    isDayFirst: true,
  },
}
