import type { ReactNode } from 'react'
import type { ScreenPartProps } from '#web/components/parts/screen-part.ts'
import { calls, role } from '#web/lib/api/contract.ts'
import { useSession } from '#web/lib/api/session.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { formatInteger, formatPercent } from '#web/lib/text/format.ts'
import classes from './lines.module.css'
import { useChangeMessages } from './messages.ts'
import { timesText } from './sentence.ts'

/** Ratios to the median between these are no news. */
const [leastRatio, mostRatio] = [0.8, 1.25]

interface Compared {
  readonly quota: number
  readonly median: number
  readonly prompt: number
  readonly cached: number
}

interface LineProps {
  /** undefined while it is read; null without a median. */
  readonly compared: Compared | null | undefined
  /** Name of the median in a sentence. */
  readonly of: string
}

/** A charge beside a median, with its tokens; the line is there before the answer, and stays without a median: nothing moves. */
const MedianLine = ({ compared, of }: LineProps): ReactNode => {
  const say = useChangeMessages()
  if (compared === null) return <p className={classes.line} />
  if (compared === undefined) return <p className={classes.line} aria-busy="true" />
  const { quota, median, prompt, cached } = compared
  const ratio = quota / median
  const ratioText =
    ratio > mostRatio
      ? say('dearer', { of, times: timesText(ratio) })
      : ratio < leastRatio
        ? say('cheaper', { of, share: formatPercent(ratio, 0) })
        : say('likeMedian', { of })
  const cacheText = cached > 0 ? say('someCached', { share: formatPercent(cached / prompt, 0) }) : say('noneCached')
  return (
    <p className={`${classes.line} num`}>
      <b>{ratioText}</b>
      {prompt > 0 && `: ${say('tokensIn', { count: formatInteger(prompt) })}, ${cacheText}`}
    </p>
  )
}

/** A charged call beside the median of its model. */
export const CallLine = ({ about = '' }: ScreenPartProps) => {
  const say = useChangeMessages()
  const isOperator = (useSession()?.role ?? 0) >= role.admin
  // Both have the same shape; only who may ask differs.
  const endpoint = (isOperator ? calls.compareCall : calls.compareOwnCall) as typeof calls.compareCall
  const query = { query: { request_id: about } }
  const { data, isError, isPlaceholderData } = useEndpoint(endpoint, query, { enabled: about !== '' })
  const compared = isPlaceholderData ? undefined : data
  return <MedianLine compared={isError ? null : compared} of={say('medianOf', { model: compared?.model ?? '' })} />
}

/** A session beside the median of recent ones of its user. */
export const SessionLine = ({ about = '' }: ScreenPartProps) => {
  const say = useChangeMessages()
  const isOperator = (useSession()?.role ?? 0) >= role.admin
  // Both have the same shape; only who may ask differs.
  const endpoint = (isOperator ? calls.compareSession : calls.compareOwnSession) as typeof calls.compareSession
  const query = { query: { session: about } }
  const { data, isError, isPlaceholderData } = useEndpoint(endpoint, query, { enabled: about !== '' })
  return <MedianLine compared={isError ? null : isPlaceholderData ? undefined : data} of={say('medianOfSessions')} />
}
