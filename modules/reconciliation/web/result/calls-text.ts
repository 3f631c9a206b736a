import { type MatchedCalls, mostListedCalls } from '#web/lib/api/contract.ts'
import { formatInteger } from '#web/lib/text/format.ts'
import type { SayCalls } from './call-messages.ts'

/** The lists of calls, in the order in which they are shown. */
export const order = ['different', 'here', 'there'] as const

/** Comparison of single calls, in words. */
export const callsText = (matched: MatchedCalls, say: SayCalls): string => {
  if (matched.ids === 'other_ids') return say('otherIds')
  if (matched.ids === 'no_own_ids') return say('noOwnIds')
  const isLong = order.some((list) => matched[list] > mostListedCalls)
  return [
    say('matched', { matched: formatInteger(matched.matched) }),
    ...(matched.unnamed > 0 ? [say('unnamed', { unnamed: formatInteger(matched.unnamed) })] : []),
    ...(matched.unasked > 0 ? [say('unasked', { unasked: formatInteger(matched.unasked) })] : []),
    ...(isLong ? [say('bounded', { most: formatInteger(mostListedCalls) })] : []),
  ].join(' ')
}
