import type { Log } from '../../../lib/api/contract.ts'
import { logType, refusedContent } from '../../../lib/api/contract.ts'
import type { SayLog } from '../messages.ts'
import { otherOf } from '../other.ts'

/** The error's code and status, for rows that failed. */
export const failureText = (log: Log, say: SayLog): string => {
  const { status, error_code: code } = otherOf(log)
  return say('failure', { status: status ?? '', code: code ?? '' }).trim()
}

const priceText = (log: Log, say: SayLog): string => {
  const other = otherOf(log)
  const group = other.group_ratio ?? 1
  if (other.receipt?.mode === 'call' || (other.model_price ?? -1) >= 0)
    return say('summaryCall', { price: `$${other.receipt?.model_price ?? other.model_price ?? 0}`, group })
  if (other.model_ratio === undefined) return log.content
  const model = other.model_ratio
  return other.cache_tokens
    ? say('summaryCache', { model, cache: other.cache_ratio ?? 1, group })
    : say('summaryRatio', { model, group })
}

export const contentText = ({ content }: Log, say: SayLog): string =>
  content === refusedContent ? say('textsRefused') : content

const repeatedText = (log: Log, say: SayLog): string => {
  const { repeated } = otherOf(log)
  return repeated === undefined ? '' : say('repeatedTimes', { count: repeated })
}

/** The text of the details column: the price of a charge, the cause of a failure, else the entry's content. */
export const detailsText = (log: Log, say: SayLog): string => {
  if (log.type === logType.consume) return priceText(log, say)
  if (log.type !== logType.error) return log.content
  return [repeatedText(log, say), failureText(log, say), contentText(log, say)].filter(Boolean).join(' · ')
}
