import type { Cues } from './cues.ts'

export const en: Cues = {
  common:
    "the and to of is that we it you for i on with have this be are but was so they not what can will just i'll we'll it's that's there",
  promise:
    "I'll|I will|I'm going to|I am going to|I'm gonna|let me|I can|I could|I shall|I need to|I have to|I've got to|I should|I must|I promise to|I plan to|I'm happy to|I am happy to|I intend to|I'd be glad to|I want to",
  ours: "we'll|we will|we're going to|we are going to|we can|we plan to|our team will|my team will|our side will",
  takes:
    "I'll take (?:that|this|it|care of (?:that|this|it))(?: one)?|I'll (?:do|handle|own|sort|manage) (?:that|this|it)|I can (?:do|take|handle) (?:that|this|it)(?: one)?|leave (?:it|that) (?:with|to) me|I'm on it|I am on it|will do|consider it done|I've got (?:it|this|that)|(?:that|this)(?:'s| is) (?:on|with) me|put (?:that|it|me) down|count on me|you'll have it|on my list",
  request:
    "can you|could you|would you|will you|can I ask you to|could I ask you to|may I ask you to|would you mind|please|I need you to|I'd like you to|I would like you to|I want you to|you should|you need to|you'll need to|are you able to|could someone from your side|make sure(?: that)? you|it would be (?:great|good|helpful) if you could|I'd appreciate it if you could|your job is to|over to you to",
  need: "we need to|we have to|we should|we must|we still need to|we still have to|we've got to|(?:someone|somebody|one of us|one of you) (?:should|needs to|has to|must|will have to)|there's still|what's left is to|what is left is to|it is necessary to|we ought to|the next step is to|next step is to|the plan is to",
  passive:
    '(?:needs?|has|have) to be|must be|should be|still needs?|is still missing|are still missing',
  mark: 'action items?|to-?dos?|next steps?|follow-?ups?|task|homework',
  others:
    "will|is going to|'s going to|should|needs to|has to|can|to|takes care of|is taking care of|takes|owns|handles|is responsible for|promised to|agreed to",
  fill: 'also|just|then|quickly|definitely|certainly|probably|personally|still|go and|go ahead and|make sure to|try to|and|be able to|have to|need to|please|kindly|to|now|happily|make sure we|take the time to|start by|get back and|sit down and',
  work: '(?:talk|speak) (?:to|with)|send|sent|prepar|draft|writ|check|schedul|updat|share|call|fix|review|set up|set|book|creat|provid|ask|organi[sz]|arrang|order|finish|finali[sz]|complet|deliver|test|configur|contact|email|mail|invit|document|collect|gather|upload|export|import|migrat|train|translat|confirm|clarif|find out|look (?:at|into|up)|go over|get (?:the|a|you|back|in touch|hold|someone|everyone)|make (?:a|the|sure)|put together|put|follow up|draw up|work out|work on|run|buil|clean|compar|sign|install|report|circulat|forward|submit|renew|plan|ping|reach out|add|remove|chang|replac|adjust|correct|investigat|estimat|calculat|publish|print|hand (?:in|over)|fill|chase|pull together|sort out|bring|reserv|verif|describ|list|open|extend|cancel|move|negotiat|prioriti[sz]|have .{3,60} ready|present|record|reset|restor|merge|assign|escalat|archiv|measur|analy[sz]|dig (?:out|into)|take care of|deal with|handle',
  idle: 'be|been|have|say|think|see|know|like|love|hope|guess|remember|mention|talk(?! (?:to|with))|speak(?! (?:to|with))|start|begin|stop|wait|tell|go|come|admit|let you know|understand|give it a thought|stay|keep|leave|miss|agree|say|imagine|hear|lose|find|take|live|do|need|sleep|just say|try|show|use|want|explain|assume|believe|get|work',
  talk: 'hear me|hear us|see my screen|see the screen|share (?:my|the|your) screen|mute|unmute|move on|wrap up|say that again|repeat|start with|jump in|next point|next topic|next slide|hand over to|be honest|be right back|be quick|be late|get started|kick off the call|join|drop off|on vacation|on holiday|on leave|off next week|stop here|talk about|speak up|introduce|go around|keep it short|bear with|as I said|let you know|see you|recording|take notes|walk you through|show you|take a break|turn to',
  hedge:
    'if|when|unless|maybe|perhaps|might|I wonder|suppose|in theory|ideally|would be nice|one day|at some point|who knows|I guess',
  not: "won't|will not|can't|cannot|don't|doesn't|didn't|not|never|no need|no longer|already|have sent|has sent|was sent|yesterday|last week|last month|no one|nobody needs|for years|for ages|always|usually|normally|every (?:day|week|month|year)",
  decision:
    "we(?:'ve| have)? (?:decided|agreed|settled)|(?:it's|it is|that's|that is|so it's) (?:decided|settled|agreed|a deal)|let's go with|we(?:'ll| will|'re going to) go with|we go with|the decision is|decision:|agreed:|then we(?:'ll| will) (?:keep|use|stick|start|stay)|we(?:'re| are) going ahead with|we stick (?:with|to)|so we (?:keep|use|drop|choose|start|stay)|final decision|we choose|we chose|everyone(?:'s| is) (?:fine|ok|okay|happy) with|we're agreed",
  yes: 'yes|yeah|sure|of course|ok|okay|absolutely|certainly|will do|no problem|happy to|gladly|right|fine|good|can do|yep|alright',
  nobody: 'someone|somebody|anyone|anybody|one of us|one of you|whoever',
  clause:
    "because|since|so that|so you|so we|so they|so that's|which|as we|as I|as you|before we|once|and then|then we|while|whereas|but|if|unless|although|that way|otherwise",
  tail: "please|for you|for me|for us|then|okay|ok|right|too|as well|thanks|thank you|at the latest|latest|if that's ok|as soon as possible|asap|at some point|from my side|on my side|from our side|on our side|right after this|over|across|today or",
  isVerbLast: false,
  days: {
    weekdays: 'monday/mon tuesday/tue wednesday/wed thursday/thu friday/fri saturday sunday',
    months:
      'january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sept/sep october/oct november/nov december/dec',
    today: 'today|this afternoon|tonight|this evening|end of (?:the )?day|end of business|eod',
    tomorrow: 'tomorrow(?: morning| afternoon| evening)?',
    afterTomorrow: 'the day after tomorrow',
    nextWeek: 'next week|the coming week',
    thisWeek: 'this week',
    endOfWeek: '(?:the )?end of (?:this|the) week|the weekend|end of week|eow',
    endOfNextWeek: '(?:the )?end of next week',
    endOfMonth: '(?:the )?end of (?:this|the) month|month end|end of month',
    numbers: 'a/one two three four five six seven eight nine ten eleven twelve',
    within: 'in|within|in the next|over the next|within the next',
    days: 'days?|working days|business days',
    weeks: "weeks?|weeks' time|week's time",
    months_: 'months?',
    before:
      'by|until|till|before|on|no later than|not later than|due|this|next|the|for|coming|at|latest',
    isDayFirst: false,
    ordinals:
      'the (?:(first)|(second)|(third)|(fourth)|(fifth)|(sixth)|(seventh)|(eighth)|(ninth)|(tenth)|(eleventh)|(twelfth)|(thirteenth)|(fourteenth)|(fifteenth)|(sixteenth)|(seventeenth)|(eighteenth)|(nineteenth)|(twentieth)|\\d{1,2}(?:st|nd|rd|th))(?! (?:\\p{L}+ )?(?:one|time|step|point|part|version|run|draft|phase|thing|half|day|week|team|person|question|group|batch))',
  },
}
