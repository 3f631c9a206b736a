import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { FigureReport } from '../../lib/api/contract.ts'
import { useStatus } from '../../lib/status.ts'
import { formatDuration, formatInteger, formatSuccess } from '../../lib/text/format.ts'
import { type Figure, Figures } from '../display/figures.tsx'
import { Quota } from '../display/quota.tsx'
import { useShortMomentText } from '../display/time/time-text.tsx'
import { summedRows } from '../figure-link.ts'
import { useUsageMessages } from './messages.ts'
import { OutcomeStrip } from './outcome-strip.tsx'
import { rangeOf, successOf, type UsageQuery, type UsageScope } from './scope.ts'
import classes from './usage.module.css'

const least = { good: 0.99, warn: 0.9 }

const toneOf = (share: number): 'good' | 'warn' | 'bad' =>
  share >= least.good ? 'good' : share >= least.warn ? 'warn' : 'bad'

/** A cell per hour: its colour is the share of answered calls. */
const Hours = ({ day }: { day: FigureReport | undefined }) => {
  const say = useUsageMessages()
  const moment = useShortMomentText()
  const answered = day?.series.find(({ key }) => key === 'success')?.values ?? []
  const cells = (day?.buckets ?? []).map((at, index) => {
    const all = day?.sums[index] ?? 0
    const good = answered[index] ?? 0
    return { at, all, good, failed: all - good }
  })
  const sum = (of: 'good' | 'failed'): string => formatInteger(cells.reduce((total, cell) => total + cell[of], 0))
  const label = say('hours', { answered: sum('good'), failed: sum('failed') })
  return (
    <OutcomeStrip
      cells={
        day &&
        cells.map(({ at, all, good, failed }) => ({
          at,
          tone: all === 0 ? 'none' : toneOf(good / all),
          title: say('hour', { time: moment(at), answered: formatInteger(good), failed: formatInteger(failed) }),
        }))
      }
      label={label}
      start={say('dayAgo')}
      end={say('now')}
    />
  )
}

/** A figure that opens the calls that it sums. */
const OpensCalls = (props: { scope: UsageScope; report: FigureReport; quota?: number | null; children: ReactNode }) => (
  <Link
    to="/log"
    search={{ ...props.scope.log, range: rangeOf(props.report) } as never}
    className={classes.opens}
    {...summedRows({ calls: props.report.total.calls, quota: props.quota })}
  >
    {props.children}
  </Link>
)

/** Figures of the last month and day, with others before and behind them, over the hours of the day. */
export const UsageStrip = (props: {
  scope: UsageScope
  month: UsageQuery
  day: UsageQuery
  before?: readonly Figure[]
  after?: readonly Figure[]
}) => {
  const say = useUsageMessages()
  const { enable_data_export: measured } = useStatus()
  const { data: month } = props.month
  const { data: day } = props.day
  const success = day && successOf(day)
  const tone = success === undefined || toneOf(success) === 'good' ? {} : { tone: toneOf(success) }
  const first = day?.total.first_p95
  const own: readonly Figure[] = measured
    ? [
        {
          label: say('spendMonth'),
          value: month && (
            <OpensCalls scope={props.scope} report={month} quota={month.total.value ?? 0}>
              <Quota value={month.total.value ?? 0} />
            </OpensCalls>
          ),
        },
        {
          label: say('callsDay'),
          value: day && (
            <OpensCalls scope={props.scope} report={day}>
              {formatInteger(day.total.calls)}
            </OpensCalls>
          ),
        },
        {
          label: say('success'),
          value: day && (success === undefined ? '—' : formatSuccess(success)),
          ...tone,
        },
        { label: say('firstToken'), value: day && (first == null ? '—' : formatDuration(first)) },
      ]
    : []
  return (
    <section className={`panel ${classes.strip}`} aria-label={say('summary')}>
      <Figures figures={[...(props.before ?? []), ...own, ...(props.after ?? [])]} />
      {measured && <Hours day={day} />}
    </section>
  )
}
