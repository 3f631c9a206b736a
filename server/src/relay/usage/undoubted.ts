import { leastSize } from '../../billing/tables/model-sizes.ts'
import type { Usage } from '../../billing/usage.ts'
import type { UsageLimits } from '../../billing/usage-reports.ts'
import { maxTokensOf } from '../../dialects/conversation/request-fields.ts'
import type { RelayCall } from '../call.ts'
import { leastMediaOutput, type Made, usageLimits } from './limits.ts'
import { usualExtra } from './sent-prompt.ts'

/** Tokens of prompts and completions that are within the limits of every model and call, except for a call's own maximum. */
const leastPrompt = Math.min(leastSize.context, usualExtra)
const leastCompletion = Math.min(leastSize.output, leastMediaOutput)

/**
 * True for a report below every possible result of `usageLimits` for its call, so that the limits need not be computed. False does not
 * mean that a report is implausible.
 */
export const isUndoubted = (usage: Usage, { dialect, body }: Pick<RelayCall, 'dialect' | 'body'>): boolean => {
  if (usage.models !== undefined || usage.more !== undefined) return false
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite + usage.cacheWrite1h + usage.audioInput
  const completion = usage.output + usage.audioOutput
  if (prompt > leastPrompt || completion > leastCompletion) return false
  const wanted = dialect === undefined ? maxTokensOf(body) : dialect.requestRules.maxTokens(body)
  return wanted <= 0 || completion <= wanted
}

/** The limits of `usageLimits`, computed when the first report needs them. */
export const laterLimits = (call: RelayCall, model: string, made: Made): UsageLimits => {
  let known: UsageLimits | undefined
  const limits = (): UsageLimits => {
    known ??= usageLimits(call, model, made)
    return known
  }
  return {
    isSure: (usage) => isUndoubted(usage, call),
    get prompt() {
      return limits().prompt
    },
    get completion() {
      return limits().completion
    },
    get allows() {
      return limits().allows
    },
    get fits() {
      return limits().fits
    },
  }
}
