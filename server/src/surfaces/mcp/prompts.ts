/** A job that people give their assistant, with the way that takes the fewest calls. */
type Prompt = {
  title: string
  description: string
  /** what the person is asked for, with its description */
  asks: { [argument: string]: string }
  text: string
}

const prompts: { [name: string]: Prompt } = {
  prepare_meeting: {
    title: 'Prepare a meeting',
    description: 'What to know before you meet a customer',
    asks: { customer: 'the name of the account' },
    text:
      'Prepare my meeting with {customer}. Find the account by find_records of accounts, read it with its health and reasons ' +
      'by get_record, read get_timeline of it, and list the open tasks of its projects. Tell me in short who is ' +
      'involved, what happened since the last meeting, what is late, what they wait for, and three things to ask.',
  },
  accounts_at_risk: {
    title: 'Accounts at risk',
    description: 'Which customers do badly, and why',
    asks: { below: 'a health score from 0 to 100, such as 50' },
    text:
      'Which accounts are at risk, and why? List accounts with health_score below {below}, lowest first, with the fields ' +
      'account_name, account_owner, health_score and insight. Say for each in one sentence what its reasons ' +
      'are and what its owner could do next.',
  },
  roll_out_deal: {
    title: 'Roll a won deal out',
    description: 'Moves a deal to won and makes its project',
    asks: { deal: 'the name of the deal', template: 'the name of a template' },
    text:
      'The deal {deal} is won. Find it, move it to the won stage of its pipeline by update_deal, and make its project by ' +
      'convert_deal with the template {template}. Then tell me the project, its first milestones and their dates.',
  },
  log_call: {
    title: 'Log a call',
    description: 'Writes down a call and makes its follow-ups',
    asks: { customer: 'whom you called', notes: 'what was said' },
    text:
      'I called {customer}. Write it down by log_note with the kind call, and make a task for each thing that I said I would ' +
      'do, owned by me unless I named somebody else. What was said: {notes}',
  },
}

/** The entries of `prompts/list`. */
export const listedPrompts = Object.entries(prompts).map(
  ([name, { title, description, asks }]) => ({
    name,
    title,
    description,
    arguments: Object.entries(asks).map(([argument, about]) => ({
      name: argument,
      description: about,
      required: true,
    })),
  }),
)

/** The text of a prompt with what the person said; undefined if there is none of the name. */
export function promptText(name: string, sent: { [argument: string]: string }): string | undefined {
  if (!Object.hasOwn(prompts, name)) return undefined
  return prompts[name]?.text.replace(/\{(\w+)\}/g, (_, argument: string) =>
    Object.hasOwn(sent, argument) ? String(sent[argument]).slice(0, 10_000) : `(${argument})`,
  )
}
