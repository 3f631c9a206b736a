import { leastSize } from '../../billing/tables/model-sizes.ts'
import { completionTokens, promptTokens, type Usage } from '../../billing/usage.ts'
import { maxTokensOf } from '../../dialects/conversation/request-fields.ts'
import type { RelayCall } from '../call.ts'
import { leastMediaOutput } from './limits.ts'
import { usualExtra } from './sent-prompt.ts'

/** Prompts and completions up to these are within the limits of every model and call, but for a maximum that the call sets itself. */
const leastPrompt = Math.min(leastSize.context, usualExtra)
const leastCompletion = Math.min(leastSize.output, leastMediaOutput)

/**
 * True for a report that is below whatever `usageLimits` may come to for its call, so that the limits need not be made. It says nothing of
 * larger reports.
 */
export const isUndoubted = (usage: Usage, { dialect, body }: Pick<RelayCall, 'dialect' | 'body'>): boolean => {
  if (usage.models !== undefined) return false
  const completion = completionTokens(usage)
  if (completion > leastCompletion || promptTokens(usage) > leastPrompt) return false
  const wanted = dialect === undefined ? maxTokensOf(body) : dialect.requestRules.maxTokens(body)
  return wanted <= 0 || completion <= wanted
}
