import { Skeleton } from '@mantine/core'
import { useState } from 'react'
import { Figures } from '../../../components/display/figures.tsx'
import { Quota } from '../../../components/display/quota.tsx'
import { EmptyState, ErrorState } from '../../../components/states.tsx'
import { calls, type UserUsage } from '../../../lib/api/contract.ts'
import { useEndpoint } from '../../../lib/query.ts'
import { useStatus } from '../../../lib/status.ts'
import { formatCompact, formatInteger, formatPercent } from '../../../lib/text/format.ts'
import { useTimeZone } from '../../../lib/time/time-zone.ts'
import { byDay, lastDays, startOfDate, usageDays } from './by-day.ts'
import { DayChart } from './day-chart.tsx'
import { useUserPageMessages } from './messages.ts'
import { UseTable } from './use-table.tsx'
import classes from './user-page.module.css'

const sumOf = (rows: readonly { quota: number; count: number; tokens: number }[]) =>
  rows.reduce(
    (sum, row) => ({
      quota: sum.quota + row.quota,
      count: sum.count + row.count,
      tokens: sum.tokens + row.tokens,
    }),
    { quota: 0, count: 0, tokens: 0 },
  )

/** Left before the first byte, where the upstream bills the prompt all the same. */
const Aborted = ({ aborted: { count, quota } }: Pick<UserUsage, 'aborted'>) => (
  <>
    <Quota value={quota} /> <small className="faint">{formatInteger(count)}</small>
  </>
)

const Tables = ({ usage, days, zone }: { usage: UserUsage; days: readonly string[]; zone: string | undefined }) => {
  const say = useUserPageMessages()
  const total = sumOf(usage.models)
  const daily = byDay(usage.hours, days, zone)
  const share = (quota: number): string => (total.quota > 0 ? formatPercent(quota / total.quota) : '—')
  return (
    <>
      <Figures
        figures={[
          { label: say('usageTotal'), value: <Quota value={total.quota} /> },
          { label: say('requests'), value: formatInteger(total.count) },
          { label: say('usageTokens'), value: formatCompact(total.tokens) },
          { label: say('usageAborted'), value: <Aborted aborted={usage.aborted} /> },
        ]}
      />
      <section className={`panel ${classes.section}`}>
        <h2>{say('usageTitle')}</h2>
        <DayChart days={daily} />
      </section>
      <div className={classes.columns}>
        <UseTable
          title={say('byModel')}
          first={say('model')}
          rows={usage.models.map(({ model, ...use }) => ({ name: model, ...use, share: share(use.quota) }))}
          mono
        />
        <UseTable
          title={say('byDay')}
          first={say('day')}
          rows={daily
            .filter(({ count }) => count > 0)
            .toReversed()
            .map(({ day, ...use }) => ({ name: day, ...use, share: share(use.quota) }))}
        />
      </div>
    </>
  )
}

/** The user's spending in the last 30 days, by day and by model, from the hourly figures. */
export const Usage = ({ userId }: { userId: number }) => {
  const say = useUserPageMessages()
  const zone = useTimeZone()
  const { enable_data_export } = useStatus()
  const [now] = useState(() => Date.now() / 1000)
  const days = lastDays(now, usageDays, zone)
  const query = { start_timestamp: startOfDate(days[0] ?? '', zone) }
  const usage = useEndpoint(calls.getUserUsage, { params: { id: userId }, query })
  const { data, error } = usage
  if (error && !data) return <ErrorState error={error} onRetry={() => void usage.refetch()} />
  if (!data) return <Skeleton h={280} />
  if (data.hours.length > 0 || data.aborted.count > 0) return <Tables usage={data} days={days} zone={zone} />
  return (
    <div className="panel">
      <EmptyState icon="chart" title={say('usageEmpty')} {...(enable_data_export ? {} : { text: say('usageOff') })} />
    </div>
  )
}
