import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useShortMomentText } from '#web/components/display/time/time-text.tsx'
import { useFigurePage } from '#web/components/figure-link.ts'
import type { ScreenPartProps } from '#web/components/parts/screen-part.ts'
import { calls, type FigureCondition, role } from '#web/lib/api/contract.ts'
import { useSession } from '#web/lib/api/session.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { useStatus } from '#web/lib/status.ts'
import { formatQuota } from '#web/lib/text/format.ts'
import { useTimeAnchor } from '#web/lib/time/time-anchor.ts'
import { useAmountText } from './amount.ts'
import classes from './lines.module.css'
import { useChangeMessages } from './messages.ts'
import { termText } from './sentence.ts'
import { termLink } from './term-link.ts'

const hour = 3_600
const week = 7 * 24 * hour

interface LineProps {
  /** Unix seconds, the end not included. */
  readonly from: number
  readonly to: number
  readonly filters: readonly FigureCondition[]
  /** Name of the period; absent where the place has said it. */
  readonly period?: string
}

/** A period beside the one before, with the largest term. The line is there before the answer; without charges it stays empty. */
const ChangeLine = ({ from, to, filters, period }: LineProps): ReactNode => {
  const say = useChangeMessages()
  const status = useStatus()
  const amount = useAmountText()
  const moment = useShortMomentText()
  const page = useFigurePage()
  const isOperator = (useSession()?.role ?? 0) >= role.admin
  const query = {
    start_timestamp: from,
    end_timestamp: to - 1,
    // Users are asked about themselves alone, and may not name one.
    filters: JSON.stringify(filters.filter(({ dimension }) => isOperator || dimension !== 'user')),
    terms: 'largest',
  } as const
  // Both have the same shape; only who may ask differs.
  const endpoint = (isOperator ? calls.getChanges : calls.getOwnChanges) as typeof calls.getChanges
  const { data, isError, isPlaceholderData } = useEndpoint(
    endpoint,
    { query },
    { enabled: status.enable_data_export, staleTimeMs: 60_000 },
  )
  if (!status.enable_data_export || isError) return null
  const report = isPlaceholderData ? undefined : data
  if (report === undefined) return <p className={classes.line} aria-busy="true" />
  if (report.reference.length === 0 || (report.now.quota === 0 && report.usual === 0))
    return <p className={classes.line} />
  const [term] = report.terms
  const text = term && termText(term, report, { say, moment })
  return (
    <p className={`${classes.line} num`}>
      {period !== undefined && `${period}: `}
      {say('previously', { now: formatQuota(report.now.quota, status), usual: formatQuota(report.usual, status) })}
      {term !== undefined && (
        <>
          {' · '}
          <b>{amount(term.amount)}</b>{' '}
          {page === undefined ? text : <Link to={page.hrefOf(termLink(term, term, report))}>{text}</Link>}
        </>
      )}
    </p>
  )
}

/** The last seven days, beginning at a full hour so that the answer can be reused. */
const LastWeek = (props: Pick<LineProps, 'filters'>) => {
  const say = useChangeMessages()
  const [anchor] = useTimeAnchor()
  const to = anchor - (anchor % hour) + hour
  return <ChangeLine {...props} from={to - week} to={to} period={say('period')} />
}

/** The last seven days of the user with the id `about`. */
export const UserLine = ({ about = '' }: ScreenPartProps) => (
  <LastWeek filters={[{ dimension: 'user', is: 'is', values: [about] }]} />
)

/** The last seven days of the key with the id `about`. */
export const KeyLine = ({ about = '' }: ScreenPartProps) => (
  <LastWeek filters={[{ dimension: 'key', is: 'is', values: [about] }]} />
)

/** A statement's period: `about` is `from..to` in unix seconds, the end not included, then `@`, and the id of a user or nothing for the site. */
export const StatementLine = ({ about = '' }: ScreenPartProps) => {
  const found = /^(\d+)\.\.(\d+)@(\d*)$/.exec(about)
  if (found === null) return null
  const [, from, to, user] = found
  const filters: readonly FigureCondition[] = user ? [{ dimension: 'user', is: 'is', values: [user] }] : []
  return <ChangeLine from={Number(from)} to={Number(to)} filters={filters} />
}
