import { Skeleton } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import { SparkBars } from '#web/components/chart/spark-bars.tsx'
import { Figures } from '#web/components/display/figures.tsx'
import { PanelList } from '#web/components/display/panel-list.tsx'
import { Quota, useQuotaText } from '#web/components/display/quota.tsx'
import { ScreenParts } from '#web/components/parts/screen-parts.tsx'
import { ErrorState } from '#web/components/states.tsx'
import { calls, type FigureReport, type LimitState, type OwnToday } from '#web/lib/api/contract.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { useStatus } from '#web/lib/status.ts'
import { formatChange, formatInteger } from '#web/lib/text/format.ts'
import { useTimeAnchor } from '#web/lib/time/time-anchor.ts'
import { useTimeZone, zoneName } from '#web/lib/time/time-zone.ts'
import { CardsWait, NeedsYou } from '../cards/needs-you.tsx'
import { hasHistory } from '../line.tsx'
import { useTodayMessages } from '../messages.ts'
import todayClasses from '../today.module.css'
import { rangeBefore } from '../who/range.ts'
import classes from './own.module.css'

const refreshEveryMs = 60_000
const shownModels = 5
const shownBudgets = 3

const callsOf = (count: number) => ({ count, number: formatInteger(count) })

const isBudget = ({ measure, window }: LimitState): boolean => measure === 'money' && window !== 'now'

/** Figures of the reader's days and the balance; their shape while they are read. */
const OwnFigures = ({ today }: { today: OwnToday | undefined }) => {
  const say = useTodayMessages()
  const quota = useQuotaText()
  const weekly = today?.limits.find((limit) => isBudget(limit) && limit.window === 'week')
  const day = (name: string, sums: OwnToday['today'] | undefined, note?: string) => ({
    label: name,
    value: sums && <Quota value={sums.quota} />,
    unit: sums && (note ?? say('calls', callsOf(sums.answered + sums.failures))),
  })
  const { yesterday, before } = today ?? {}
  const change =
    yesterday && before && before.quota > 0 ? formatChange((yesterday.quota - before.quota) / before.quota) : undefined
  return (
    <Figures
      notesBelow
      figures={[
        day(say('thisWeek'), today?.week, weekly && say('of', { amount: quota(weekly.amount) })),
        day(say('todayShort'), today?.today),
        day(say('yesterdayShort'), yesterday, change),
        {
          label: say('balance'),
          value: today && <Quota value={today.balance} />,
          unit: today && <Link to="/topup">{say('topUp')}</Link>,
          ...(today && today.balance <= 0 ? { tone: 'bad' as const } : {}),
        },
      ]}
    />
  )
}

/** Budgets that count the reader's calls, the fullest first. */
const Budgets = ({ limits }: { limits: readonly LimitState[] }) => {
  const say = useTodayMessages()
  const quota = useQuotaText()
  const budgets = limits.filter(isBudget).slice(0, shownBudgets)
  if (budgets.length === 0) return null
  return (
    <ul className={`panel ${classes.budgets}`}>
      {budgets.map(({ id, subject, name, used, amount }) => {
        const text = say('budget', { name, used: quota(used), amount: quota(amount) })
        return (
          <li key={`${id} ${subject}`}>
            <span>{text}</span>
            <meter className={classes.meter} value={Math.min(used, amount)} max={amount} aria-label={text} />
          </li>
        )
      })}
    </ul>
  )
}

/** Models that the reader spent most on in seven days; undefined where sums are not stored. */
const useTopModels = (): FigureReport | undefined | 'waiting' => {
  const { enable_data_export: enabled } = useStatus()
  const zone = zoneName(useTimeZone())
  const [now] = useTimeAnchor()
  const { from, to } = rangeBefore('7d', now)
  const query = {
    metric: 'spend',
    by: 'model',
    start_timestamp: from,
    end_timestamp: to - 1,
    rollup: 'day',
    zone,
    top: shownModels,
    compare: 'none',
    speed: 'none',
  } as const
  const { data, error } = useEndpoint(calls.getOwnFigures, { query } as never, { enabled, staleTimeMs: 60_000 })
  return data ?? (enabled && !error ? 'waiting' : undefined)
}

/** The shape of the models while they are read. */
const TopModelsWait = () => {
  const say = useTodayMessages()
  return (
    <PanelList id="top-models" title={say('topModels')} className={classes.models} isBusy>
      {Array.from({ length: shownModels }, (_, place) => (
        <li key={place}>
          <Skeleton h={14} w="40%" />
        </li>
      ))}
    </PanelList>
  )
}

const TopModels = ({ report: { from, to, rows: all, series } }: { report: FigureReport }) => {
  const say = useTodayMessages()
  const rows = all.filter(({ rest }) => !rest)
  if (rows.length === 0) return null
  return (
    <PanelList id="top-models" title={say('topModels')} className={classes.models}>
      {rows.map(({ key, value, calls: count }) => (
        <li key={key}>
          <Link
            to="/log"
            search={{ model_name: `"${key}"`, range: `${from}..${to - 1}` } as never}
            className="mono cut"
          >
            {key}
          </Link>
          <span className={classes.spark}>
            <SparkBars
              values={(series.find((line) => line.key === key)?.values ?? []).map((each) => each ?? 0)}
              label={say('spent')}
            />
          </span>
          <span className={classes.amount}>
            <Quota value={value ?? 0} />
            <small className="num">{say('calls', callsOf(count))}</small>
          </span>
        </li>
      ))}
    </PanelList>
  )
}

/** Places that a user goes to next. */
const Places = () => {
  const say = useTodayMessages()
  const { routesByPath } = useRouter()
  return (
    <nav className={classes.places} aria-label={say('models')}>
      <Link to="/pricing">{say('models')}</Link>
      <Link to="/token">{say('keys')}</Link>
      {Object.hasOwn(routesByPath, '/agents') && <Link to={'/agents' as '/token'}>{say('agents')}</Link>}
    </nav>
  )
}

/** The models, and what stands below them: their number is not known before they are read, so that both are drawn together. */
const BelowBudgets = () => {
  const models = useTopModels()
  if (models === 'waiting') return <TopModelsWait />
  return (
    <>
      {models && <TopModels report={models} />}
      <Places />
      <ScreenParts place="own sessions" />
    </>
  )
}

/** The start page of users. */
export const OwnTodayPage = () => {
  const zone = zoneName(useTimeZone())
  const { data, error, refetch } = useEndpoint(calls.getOwnToday, { query: { zone } }, { refreshEveryMs })
  if (error && !data)
    return (
      <div className="panel">
        <ErrorState error={error} onRetry={() => void refetch()} />
      </div>
    )
  return (
    <>
      <OwnFigures today={data} />
      {data === undefined ? (
        <CardsWait />
      ) : (
        <>
          {(data.cards.length > 0 || data.more > 0) && <NeedsYou cards={data.cards} more={data.more} />}
          <Budgets limits={data.limits} />
          <div className={hasHistory(data) ? undefined : todayClasses.fresh}>
            <ScreenParts place="own today" />
          </div>
          <BelowBudgets />
        </>
      )}
    </>
  )
}
