import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useQuotaText } from '#web/components/display/quota.tsx'
import { useFigurePage } from '#web/components/figure-link.ts'
import { logType, type OwnToday, type SiteToday, type TodaySums } from '#web/lib/api/contract.ts'
import { useIsStaff } from '#web/lib/api/staff.ts'
import { formatChange, formatInteger, formatPercent } from '#web/lib/text/format.ts'
import type { FigureLink } from '#web/lib/url/figure-link.ts'
import { useCardTexts } from './cards/card-texts.ts'
import { useTodayMessages } from './messages.ts'
import classes from './today.module.css'

const callsOf = ({ answered, failures }: Pick<TodaySums, 'answered' | 'failures'>): number => answered + failures

/** True if there were calls yesterday or the day before, with which figures are compared. */
export const hasHistory = ({ yesterday, before }: Pick<OwnToday, 'yesterday' | 'before'>): boolean =>
  [yesterday, before].some((day) => callsOf(day) > 0)

const rangeOf = ({ from, to }: Pick<TodaySums, 'from' | 'to'>): string => `${from}..${to - 1}`

/** The shape of the line while it is read. */
export const LineWait = () => (
  <div className={`panel ${classes.line}`} aria-busy="true">
    <Skeleton h={20} w="70%" my={4} />
    <Skeleton h={14} w="30%" my={3} />
  </div>
)

/** A part of the line that opens the page of figures, or the log where there is none. */
const ToFigures = ({ link, range, children }: { link: FigureLink; range: string; children: ReactNode }) => {
  const page = useFigurePage()
  return page === undefined ? (
    <Link to="/log" search={{ range } as never}>
      {children}
    </Link>
  ) : (
    <Link to={page.hrefOf({ ...link, range })}>{children}</Link>
  )
}

/** Share of calls that were answered, rounded down: only what never failed is 100%. */
const answeredText = ({ answered, failures }: TodaySums): string =>
  formatPercent(Math.floor((answered / (answered + failures)) * 1000) / 1000)

/** The changes that people and the site itself made yesterday, for those who may read the audit log. */
const Changes = ({ range }: { range: string }) => {
  const say = useTodayMessages()
  return useIsStaff('audit') ? (
    <Link to="/audit" search={{ range } as never}>
      {say('changes')}
    </Link>
  ) : null
}

/** Yesterday in one line, each number a link to what it sums; today where yesterday had no calls. */
export const Line = ({ today: site }: { today: SiteToday }) => {
  const say = useTodayMessages()
  const quota = useQuotaText()
  const textOf = useCardTexts()
  const { yesterday, before, today, cards } = site
  const hasYesterday = callsOf(yesterday) > 0
  const day = hasYesterday ? yesterday : today
  const worst = cards.find(({ severity, snoozed_until: until }) => severity === 'bad' && until === 0)
  if (callsOf(day) === 0)
    return (
      <section className={`panel ${classes.line}`} aria-label={say('lineLabel')}>
        <p className={classes.sentence}>
          <span>{say('none')}</span>
          <Link to="/today" search={{ guide: '1' } as never}>
            {say('first')}
          </Link>
        </p>
      </section>
    )
  const range = rangeOf(day)
  const change = hasYesterday && before.quota > 0 ? (yesterday.quota - before.quota) / before.quota : undefined
  return (
    <section className={`panel ${classes.line}`} aria-label={say('lineLabel')}>
      <p className={classes.sentence}>
        <ToFigures link={{ metric: 'spend', by: 'model' }} range={range}>
          {say(hasYesterday ? 'yesterday' : 'soFar', { amount: quota(day.quota) })}
          {change !== undefined && <small className="num"> {formatChange(change)}</small>}
        </ToFigures>
        <Link to="/log" search={{ range } as never}>
          {say('calls', { count: callsOf(day), number: formatInteger(callsOf(day)) })}
        </Link>
        <Link
          to="/log"
          search={{ range, type: String(logType.error) } as never}
          data-warn={day.failures > 0 || undefined}
        >
          {say('answered', { share: answeredText(day) })}
        </Link>
        {day.costed > 0 && (
          <ToFigures link={{ metric: 'margin', by: 'model' }} range={range}>
            {say('margin', { amount: quota(day.costed_quota - day.cost) })}
          </ToFigures>
        )}
        {worst && (
          <Link to="/today" search={{ card: worst.id } as never} data-bad>
            {textOf(worst).fact}
          </Link>
        )}
      </p>
      <p className={`faint num ${classes.below}`}>
        {hasYesterday && (
          <span>{say('today', { amount: quota(today.quota), calls: formatInteger(callsOf(today)) })}</span>
        )}
        <Changes range={rangeOf(yesterday)} />
      </p>
    </section>
  )
}
