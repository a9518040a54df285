import type { Operation } from '../../src/kit/ground/operation.ts'

/** Operations that refuse unknown keys although their schema does not say so: a read may be sent back. */
const inCode = [
  'save_survey_automations',
  'update_survey_automation',
  'create_filter',
  'update_filter',
  'update_app',
  'update_import',
  'start_import',
  'update_signature_preparation',
  'update_survey_draft',
  'update_survey_embed',
  'share_survey_results',
  'update_template_draft',
  'update_webhook_subscription',
]

/** Whether an operation refuses keys of its body that it does not know. */
export function refusesUnknown({ name, input }: Operation): boolean {
  return input.body?.additionalProperties === false || inCode.includes(name)
}
