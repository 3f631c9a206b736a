import type { ScreenPartProps } from '#web/components/parts/screen-part.ts'
import { type CallComparison, calls, role } from '#web/lib/api/contract.ts'
import { useSession } from '#web/lib/api/session.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { formatInteger, formatPercent } from '#web/lib/text/format.ts'
import classes from './lines.module.css'
import { type SayChange, useChangeMessages } from './messages.ts'
import { timesText } from './sentence.ts'

/** Ratios to the median between these are no news. */
const [leastRatio, mostRatio] = [0.8, 1.25]

const ratioText = ({ model, quota, median }: NonNullable<CallComparison>, say: SayChange): string => {
  const ratio = quota / median
  if (ratio > mostRatio) return say('dearer', { model, times: timesText(ratio) })
  return ratio < leastRatio ? say('cheaper', { model, share: formatPercent(ratio, 0) }) : say('likeMedian', { model })
}

const cacheText = ({ prompt, cached }: NonNullable<CallComparison>, say: SayChange): string =>
  cached > 0 ? say('someCached', { share: formatPercent(cached / prompt, 0) }) : say('noneCached')

/** A charged call beside the median of its model; the line is there before the answer, and stays empty without a median. */
export const CallLine = ({ about = '' }: ScreenPartProps) => {
  const say = useChangeMessages()
  const isOperator = (useSession()?.role ?? 0) >= role.admin
  // Both have the same shape; only who may ask differs.
  const endpoint = (isOperator ? calls.compareCall : calls.compareOwnCall) as typeof calls.compareCall
  const { data, isError, isPlaceholderData } = useEndpoint(
    endpoint,
    { query: { request_id: about } },
    { enabled: about !== '' },
  )
  const call = isPlaceholderData ? undefined : data
  if (isError || call === null) return null
  const parts =
    call === undefined
      ? []
      : [
          ratioText(call, say),
          ...(call.prompt > 0 ? [say('tokensIn', { count: formatInteger(call.prompt) }), cacheText(call, say)] : []),
        ]
  const [ratio = '', ...tokens] = parts
  return (
    <p className={`${classes.line} num`} aria-busy={call === undefined || undefined}>
      {ratio !== '' && <b>{ratio}</b>}
      {tokens.length > 0 && `: ${tokens.join(', ')}`}
    </p>
  )
}
