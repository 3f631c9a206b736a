import { ScreenParts } from '#web/components/parts/screen-parts.tsx'
import { ErrorState } from '#web/components/states.tsx'
import { calls } from '#web/lib/api/contract.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { useTimeZone, zoneName } from '#web/lib/time/time-zone.ts'
import { CardsWait, NeedsYou } from './cards/needs-you.tsx'
import { hasHistory, Line, LineWait } from './line.tsx'
import classes from './today.module.css'
import { Who } from './who/who.tsx'

const refreshEveryMs = 60_000

/** The start page of operators. */
export const SiteTodayPage = () => {
  const zone = zoneName(useTimeZone())
  const { data, error, refetch } = useEndpoint(calls.getToday, { query: { zone } }, { refreshEveryMs })
  if (error && !data)
    return (
      <div className="panel">
        <ErrorState error={error} onRetry={() => void refetch()} />
      </div>
    )
  if (!data)
    return (
      <>
        <LineWait />
        <CardsWait />
      </>
    )
  return (
    <>
      <Line today={data} />
      <NeedsYou cards={data.cards} more={data.more} />
      <div className={hasHistory(data) ? undefined : classes.fresh}>
        <ScreenParts place="today" />
      </div>
      <Who />
    </>
  )
}
