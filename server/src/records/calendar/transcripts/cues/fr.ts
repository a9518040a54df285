import type { Cues } from './cues.ts'

const present: { [form: string]: string } = {
  envoie: 'envoyer',
  fais: 'faire',
  écris: 'écrire',
  mets: 'mettre',
  transmets: 'transmettre',
  prends: 'prendre',
  fournis: 'fournir',
  remplis: 'remplir',
  finis: 'finir',
  réponds: 'répondre',
  fixe: 'fixer',
  appelle: 'appeler',
  rappelle: 'rappeler',
}
const regular =
  'prépare|vérifie|rédige|planifie|organise|réserve|commande|crée|partage|contacte|relance|corrige|teste|termine|finalise|regarde|demande|livre|configure|complète|ajoute|importe|exporte|traduis|confirme|clarifie|note|programme|installe|mesure|compare|modifie|adapte|documente|renouvelle|signe|publie|déplace|cherche|collecte|rassemble|actualise|paramètre|calcule|chiffre|lance|propose'
const forms = `${Object.keys(present).join('|')}|${regular}`
const future: { [form: string]: string } = {
  enverrai: 'envoyer',
  ferai: 'faire',
  verrai: '',
  serai: '',
  aurai: '',
  irai: '',
  pourrai: '',
  devrai: '',
  saurai: '',
  viendrai: '',
  reviendrai: '',
  dirai: '',
  appellerai: 'appeler',
  rappellerai: 'rappeler',
  tiendrai: 'tenir',
}
const pronouns = "(?:vous|te|lui|leur|le|la|les|y|en|me|nous) |[tlm]'"

export const fr: Cues = {
  common:
    "le la les de des et est que nous vous je pas pour dans on une un ce qui avec sur il au du en c'est j'ai sont mais cela ça à d'accord oui plus",
  promise:
    "je vais|je dois|je peux|je pourrai|je compte|je m'engage à|je me charge de|je m'occupe de|je propose de|je tiens à|laissez-moi|laisse-moi|il faut que je|je voudrais|j'aimerais",
  ours: 'nous allons|on va|nous pouvons|on peut|nous devrons|notre équipe va|de notre côté(?:,)? (?:on|nous) (?:va|allons)',
  takes:
    "je m'en (?:occupe|charge)|je m'en (?:occuperai|chargerai)|je (?:le|la|les) (?:fais|prends|ferai)|c'est pour moi|c'est noté pour moi|je prends (?:ça|le point|cela)|comptez sur moi|compte sur moi|je peux m'en (?:charger|occuper)|ce sera fait|laissez-moi (?:ça|faire)",
  request:
    "pouvez-vous|pourriez-vous|peux-tu|pourrais-tu|vous pouvez|vous pourriez|tu peux|tu pourrais|est-ce que vous (?:pouvez|pourriez)|est-ce que tu (?:peux|pourrais)|merci de|s'il vous plaît|s'il te plaît|je vous demande de|il faudrait que (?:vous|tu)|vous devriez|tu devrais|veuillez|j'aurais besoin que (?:vous|tu)|ce serait bien (?:que|si) (?:vous|tu)|serait-il possible de|je compte sur vous pour|(?:envoyez|préparez|vérifiez|transmettez|faites|prévoyez|complétez|contactez|regardez|validez)(?:-(?:nous|moi|lui|le|la|les))?",
  need: "il faut|il faudra|il faudrait|nous devons|on doit|on devrait|nous devrions|quelqu'un (?:doit|devrait|devra)|il reste à|la prochaine étape est de|prochaine étape :|nous avons besoin de|on a besoin de|il manque encore|reste à",
  passive:
    '(?:doit|doivent|devra|devrait|devraient) être|manque encore|manquent encore|reste à faire|est encore à',
  mark: "action|à faire|tâche|prochaines étapes|prochaine étape|point d'action|todo",
  others:
    "va|doit|devra|peut|s'occupe de|s'occupe du|se charge de|se charge du|prend en charge|prépare|envoie|vérifie|rédige|organise|fera|enverra|préparera",
  present: new RegExp(
    `(?<![\\p{L}])(?:je |j')(?:${pronouns}){0,2}(?:(?<verb>m'occupe|me charge|${forms})|(?<verb2>[\\p{L}]{2,20}rai))(?![\\p{L}])`,
    'iu',
  ),
  infinitive(form, rest) {
    const verb = form.toLowerCase()
    if (/^(?:m'occupe|me charge)$/.test(verb)) {
      return { verb: verb === "m'occupe" ? "s'occuper" : 'se charger', rest }
    }
    const known = present[verb] ?? future[verb]
    if (known === '') return undefined
    if (known !== undefined) return { verb: known, rest }
    if (verb === 'traduis') return { verb: 'traduire', rest }
    if (verb.endsWith('rai')) {
      const stem = verb.slice(0, -2)
      return { verb: /(?:er|ir)$/.test(stem) ? stem : `${stem}e`, rest }
    }
    return { verb: `${verb}r`, rest }
  },
  fill: "vous|te|lui|leur|nous|aussi|encore|tout de suite|bien sûr|juste|alors|donc|déjà|également|rapidement|et|me|moi|de|d'|à|que|vite|personnellement|essayer de|penser à|bien",
  work: 'parler (?:à|avec|au)|envoy|prépar|fai(?:re|s)|fass|vérifi|rédig|écri|mett|planifi|organis|réserv|command|cré|partag|transm|contact|relanc|corrig|test|termin|finalis|regard|demand|livr|configur|complét|ajout|import|export|trad|confirm|clarifi|programm|install|mesur|compar|modifi|adapt|document|renouvel|sign|publi|déplac|cherch|collect|rassembl|actualis|paramétr|calcul|chiffr|lanc|propos|fourn|rempli|fin(?:ir|is)|répond|fix|appel|rappel|occup|charg|donn|ouvr|revoir|valid|étudi|analys|décri|form(?:er|e)|inviter|prévoir|prévoy|prendre (?:contact|rendez)|obten|récupér|trouv|bascul|migr|négoci|imprim|nettoy|recont|dépos',
  idle: 'être|avoir|dire|penser|voir|savoir|aimer|espérer|croire|rappeler que|parler(?! (?:à|avec|au))|commencer|arrêter|attendre|aller|venir|avouer|comprendre|rester|laisser|passer|revenir|écouter|devoir|pouvoir|essayer|montrer',
  talk: "m'entendez|m'entends|mon écran|l'écran|micro|passer au point|point suivant|diapo|répéter|être honnête|reviens tout de suite|me présenter|commencer|vacances|congés|tour de table|enregistr|caméra|conclure|vous montre|vous montrer|passer la parole|être bref|être en retard|quitter|on commence|avançons|continuer",
  hedge:
    'si|peut-être|éventuellement|quand|au cas où|en théorie|un jour|je me demande|ce serait bien de|à voir|idéalement',
  not: "ne|n'|pas|jamais|déjà|hier|la semaine dernière|le mois dernier|j'ai|plus besoin|aucun|depuis|toujours|d'habitude|chaque|normalement",
  decision:
    "(?:on a|nous avons) (?:décidé|convenu|retenu|choisi|acté|validé)|c'est (?:décidé|acté|convenu|entendu|validé)|on part sur|nous partons sur|on retient|nous retenons|on garde|nous gardons|décision :|on reste sur|nous restons sur|on valide|nous validons|on s'est mis d'accord|nous nous sommes mis d'accord|on renonce à|nous renonçons à|on choisit|il est décidé|donc on (?:garde|prend|commence|abandonne)",
  yes: "oui|d'accord|bien sûr|entendu|avec plaisir|pas de problème|ok|très bien|parfait|volontiers|tout à fait|ça marche|sans problème|certainement",
  nobody: "quelqu'un|on|l'un de nous|l'un d'entre nous",
  clause:
    'parce que|car|afin que|afin de|pour que|puisque|comme ça|ainsi|avant que|dès que|et ensuite|mais|sinon|si|puis|qui|ce qui',
  tail: "s'il vous plaît|s'il te plaît|merci|alors|d'accord|au plus tard|dès que possible|de mon côté|de notre côté|de votre côté|de ton côté|aussi|pour vous|pour nous",
  isVerbLast: false,
  days: {
    weekdays: 'lundi mardi mercredi jeudi vendredi samedi dimanche',
    months: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
    today: "aujourd'hui|ce soir|cet après-midi|dans la journée",
    tomorrow: 'demain(?: matin| soir| midi| après-midi)?',
    afterTomorrow: 'après-demain',
    nextWeek: 'la semaine prochaine|semaine prochaine|la semaine qui vient',
    thisWeek: 'cette semaine',
    endOfWeek: 'la fin de (?:la|cette) semaine|fin de semaine|la fin de semaine|fin de la semaine',
    endOfNextWeek: '(?:la )?fin de la semaine prochaine|la fin de semaine prochaine',
    endOfMonth: '(?:la )?fin du mois|fin de mois|la fin de ce mois',
    numbers: 'un/une deux trois quatre cinq six sept huit neuf dix onze douze',
    within: "dans|d'ici|sous|dans les",
    days: 'jours?|jours ouvrés',
    weeks: 'semaines?',
    months_: 'mois',
    before:
      "d'ici|d'ici le|avant|avant le|pour|pour le|le|jusqu'à|jusqu'au|au plus tard|à|ce|au|dès",
    isDayFirst: true,
  },
}
