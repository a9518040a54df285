import type { Cues } from './cues.ts'

const present: { [form: string]: string } = {
  envío: 'enviar',
  mando: 'mandar',
  preparo: 'preparar',
  hago: 'hacer',
  reviso: 'revisar',
  llamo: 'llamar',
  escribo: 'escribir',
  actualizo: 'actualizar',
  organizo: 'organizar',
  reservo: 'reservar',
  pido: 'pedir',
  comparto: 'compartir',
  paso: 'pasar',
  consulto: 'consultar',
  corrijo: 'corregir',
  pruebo: 'probar',
  termino: 'terminar',
  cierro: 'cerrar',
  pongo: 'poner',
  busco: 'buscar',
  confirmo: 'confirmar',
  contacto: 'contactar',
  redacto: 'redactar',
  subo: 'subir',
  configuro: 'configurar',
  entrego: 'entregar',
  agendo: 'agendar',
  convoco: 'convocar',
  verifico: 'verificar',
  compruebo: 'comprobar',
  traduzco: 'traducir',
  documento: 'documentar',
  encargo: 'encargar',
  programo: 'programar',
  completo: 'completar',
  añado: 'añadir',
  instalo: 'instalar',
  comparo: 'comparar',
  calculo: 'calcular',
  imprimo: 'imprimir',
  firmo: 'firmar',
  publico: 'publicar',
  importo: 'importar',
  exporto: 'exportar',
}
const future: { [form: string]: string } = {
  haré: 'hacer',
  pondré: 'poner',
  tendré: '',
  diré: '',
  podré: '',
  estaré: '',
  seré: '',
  iré: '',
  veré: '',
  sabré: '',
  vendré: '',
  volveré: '',
}
const pronouns = 'te|le|les|os|lo|la|los|las|se|me|nos'

export const es: Cues = {
  common:
    'el la los las de que y es en un una por para con no se lo como más pero nos ya está son del al muy hay esto eso vale sí bien tenemos usted también',
  promise:
    'voy a|yo voy a|puedo|yo puedo|debo|tengo que|tendré que|pienso|me encargo de|me encargaré de|me ocupo de|me ocuparé de|me comprometo a|quiero|déjenme|déjame|quedo en|prometo',
  ours: 'vamos a|nosotros vamos a|podemos|por nuestra parte vamos a|nuestro equipo va a',
  takes:
    '(?:ya )?me encargo(?: yo)?(?: de (?:eso|ello|esto))?(?= *(?:[.,;!]|$))|me ocupo (?:yo|de eso|de ello)|lo hago yo|yo lo (?:hago|miro|preparo|llevo|haré)|yo me encargo|yo me ocupo|eso es mío|déjamelo a mí|déjenmelo a mí|cuenta conmigo|cuenten conmigo|apúntame|eso corre de mi cuenta|de eso me encargo yo',
  request:
    'puedes|podrías|puede usted|podría usted|pueden|podrían|puede|podría|por favor|te pido que|le pido que|necesito que|me gustaría que|deberías|debería usted|tienes que|tendrías que|serías tan amable de|te importaría|le importaría|sería bueno que|hazme el favor de|(?:envíe|mande|prepare|revise|confirme|envía|manda|prepara|revisa)(?:me|nos|n|nme|nnos)?',
  need: 'hay que|habría que|tenemos que|debemos|deberíamos|necesitamos|alguien (?:tiene que|debe|debería|tendría que)|falta por|queda por|el siguiente paso es|el próximo paso es|hace falta|hará falta|es necesario',
  passive:
    '(?:debe|deben|tiene que|tienen que|debería|deberían) ser|falta todavía|todavía falta|faltan todavía|está pendiente|están pendientes',
  mark: 'tareas?|acción|pendientes?|próximos pasos|siguiente paso|próximo paso|por hacer',
  others:
    'va a|debe|debería|tiene que|puede|se encarga de|se ocupa de|prepara|envía|manda|revisa|enviará|preparará|hará|se encargará de',
  present: new RegExp(
    `(?<![\\p{L}])(?:(?:yo |ya |mañana |hoy |y |luego |entonces )|(?:(?:${pronouns}) ))*(?:(?<verb>${Object.keys(present).join('|')})|(?<verb2>[\\p{L}]{3,20}ré))(?![\\p{L}])`,
    'iu',
  ),
  infinitive(form, rest) {
    const verb = form.toLowerCase()
    const known = present[verb] ?? future[verb]
    if (known === '') return undefined
    return { verb: known ?? verb.replace(/ré$/, 'r'), rest }
  },
  fill: 'te|le|les|os|lo|nos|me|también|ya|ahora|luego|entonces|además|a|de|que|yo|por favor|rápidamente|y|usted|ustedes|intentar|seguro|mismo|misma',
  work: 'hablar con|envi|enví|mand|prepar|hac|hag|revis|llam|escrib|actualiz|organiz|reserv|ped|pid|compart|pas(?:ar|o|e)|consult|corr[ei]|prob|prueb|termin|cerr|pon|busc|confirm|contact|redact|sub[aieo]|configur|entreg|agend|convoc|verific|comprob|traduc|document|program|complet|añad|instal|compar|calcul|imprim|firm|public|import|export|encarg|ocup|cre(?:ar|e|arem)|solicit|aclar|defin|analiz|evalu|negoci|invit|form(?:ar|e)|plane|planific|migr|modific|mover|mueva|cambi|renov|list(?:ar|o)|recopil|reun|avis|inform|dar de alta|estim|resolv|soluc|gestion|tramit|valid',
  idle: 'ser|estar|tener|decir|pensar|ver|saber|querer|esperar|creer|recordar|hablar(?! con)|empezar|parar|ir|venir|admitir|entender|quedar|seguir|oír|explicar|mostrar|comentar|hacer una pausa|intentar',
  talk: 'me oyen|me oyes|me escuchan|me escuchas|pantalla|micrófono|siguiente punto|diapositiva|repetir|ser sincero|ser sincera|ser honesto|presentarme|empezar|vacaciones|ronda|grab|cámara|ser breve|les muestro|enseño|comentar|avanzar|vuelvo enseguida|pasar la palabra|seguimos|continuar|pasamos a|llegar tarde',
  hedge:
    'si|quizás|quizá|tal vez|a lo mejor|cuando|en teoría|algún día|me pregunto|estaría bien|ya veremos|idealmente',
  not: 'no|nunca|ya envié|ya mandé|ya está|ayer|la semana pasada|el mes pasado|nadie|hemos enviado|he enviado|he hecho|tampoco|desde hace|siempre|normalmente|cada|todos los días',
  decision:
    '(?:hemos|han|se ha) (?:decidido|acordado|elegido|quedado)|decidimos|acordamos|quedamos en|queda (?:decidido|acordado|aprobado)|nos quedamos con|vamos con|decisión:|optamos por|elegimos|entonces (?:mantenemos|usamos|dejamos|empezamos|arrancamos)|está decidido|de acuerdo entonces|mantenemos|descartamos|renunciamos a',
  yes: 'sí|claro|vale|de acuerdo|por supuesto|perfecto|sin problema|ok|bien|con gusto|cómo no|desde luego|hecho|muy bien',
  nobody: 'alguien|uno de nosotros|alguno',
  clause:
    'porque|para que|ya que|así que|así|puesto que|antes de que|en cuanto|y luego|pero|si no|si|aunque|que así|de modo que|y después',
  tail: 'por favor|entonces|vale|gracias|también|a más tardar|como muy tarde|cuanto antes|lo antes posible|por mi parte|por nuestra parte|de mi parte|para usted|para ti|sin falta',
  isVerbLast: false,
  days: {
    weekdays: 'lunes martes miércoles jueves viernes sábado domingo',
    months:
      'enero febrero marzo abril mayo junio julio agosto septiembre/setiembre octubre noviembre diciembre',
    today: 'hoy(?: mismo)?|esta tarde|esta noche',
    tomorrow: 'mañana(?: por la mañana| por la tarde)?',
    afterTomorrow: 'pasado mañana',
    nextWeek: 'la próxima semana|la semana que viene|la semana próxima|próxima semana',
    thisWeek: 'esta semana',
    endOfWeek: '(?:el )?final(?:es)? de (?:la|esta) semana|fin de semana|finales de semana',
    endOfNextWeek: '(?:el )?final(?:es)? de la (?:próxima semana|semana que viene)',
    endOfMonth: '(?:el )?fin(?:al(?:es)?)? de(?:l| este)? mes',
    numbers: 'un/una/uno dos tres cuatro cinco seis siete ocho nueve diez once doce',
    within: 'en|dentro de|en los próximos|en las próximas',
    days: 'días?|días hábiles|días laborables',
    weeks: 'semanas?',
    months_: 'mes|meses',
    before:
      'antes|antes de|antes del|para|para el|el|este|hasta|hasta el|a más tardar|el próximo|al|a|del|de|próximo|como muy tarde',
    isDayFirst: true,
  },
}
