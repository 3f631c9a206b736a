import { SegmentedControl, Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { SparkBars } from '#web/components/chart/spark-bars.tsx'
import { PanelRows } from '#web/components/display/panel-list.tsx'
import { Quota } from '#web/components/display/quota.tsx'
import { useFigurePage } from '#web/components/figure-link.ts'
import { ErrorState } from '#web/components/states.tsx'
import { calls, type FigureReport, logType } from '#web/lib/api/contract.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { useStatus } from '#web/lib/status.ts'
import { formatChange, formatInteger, formatPercent } from '#web/lib/text/format.ts'
import { useTimeAnchor } from '#web/lib/time/time-anchor.ts'
import { useTimeZone, zoneName } from '#web/lib/time/time-zone.ts'
import { useSearchParams } from '#web/lib/url/search-params.ts'
import { useTodayMessages } from '../messages.ts'
import { type Ranking, rankingQuery, rankings, readChoice, type Span, spans } from './range.ts'
import classes from './who.module.css'

type Row = FigureReport['rows'][number]

const spanWords = { '24h': 'day', '7d': 'sevenDays', '30d': 'month' } as const satisfies Record<Span, string>
const waitingRows = 5

/** The filter of the log for a row; undefined where the log has none. */
const logFilter = (by: Ranking, { key, name }: Row): Readonly<Record<string, string>> | undefined => {
  if (by === 'channel') return key === '0' ? undefined : { channel: key }
  if (name === '') return undefined
  if (by === 'model') return { model_name: `"${name}"` }
  return by === 'key' ? { token_name: name } : { username: name }
}

const useRowName = (by: Ranking): ((row: Row) => string) => {
  const say = useTodayMessages()
  return ({ key, name, owner }) => {
    if (by === 'key' && key === '0') return say('playground')
    if (by === 'channel' && key === '0') return say('noChannel')
    if (name === '') return `#${key}`
    return owner === undefined || owner === '' ? name : `${name} · ${owner}`
  }
}

const changeText = ({ value, before }: Row, fresh: string): string => {
  if (before === null || value === null) return ''
  if (before === 0) return value === 0 ? '' : fresh
  return formatChange((value - before) / before)
}

interface RowsProps {
  readonly report: FigureReport
  readonly by: Ranking
}

const Rows = ({ report, by }: RowsProps) => {
  const say = useTodayMessages()
  const page = useFigurePage()
  const nameOf = useRowName(by)
  const range = `${report.from}..${report.to - 1}`
  const named = report.rows.filter(({ rest }) => !rest)
  const rest = report.rows.find((row) => row.rest)
  const most = Math.max(1, ...named.map(({ value }) => value ?? 0))
  const callsText = ({ calls: count }: Row): string => say('calls', { count, number: formatInteger(count) })
  const valuesOf = ({ key }: Row): readonly number[] =>
    (report.series.find((line) => line.key === key && !line.rest)?.values ?? []).map((value) => value ?? 0)
  return (
    <PanelRows className={classes.rows}>
      {named.map((row) => {
        const name = nameOf(row)
        const search = logFilter(by, row)
        const share = (row.value ?? 0) / most
        return (
          <li key={row.key}>
            {page ? (
              <Link
                className={`cut ${classes.name} ${by === 'model' ? 'mono' : ''}`}
                to={page.hrefOf({
                  metric: 'spend',
                  by,
                  range,
                  filters: [{ dimension: by, is: 'is', values: [row.key] }],
                })}
                aria-label={say('rowFigures', { name })}
                title={name}
              >
                {name}
              </Link>
            ) : (
              <span className={`cut ${classes.name}`} title={name}>
                {name}
              </span>
            )}
            <span className={classes.spark}>
              <SparkBars values={valuesOf(row)} label={say('spent')} />
            </span>
            <svg className={classes.bar} viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
              <rect width={100 * Math.max(0, share)} height={8} />
            </svg>
            <span className={classes.amount}>
              <Quota value={row.value ?? 0} />
              <small className="num">{row.share === null ? '' : formatPercent(row.share)}</small>
            </span>
            <span className={`num ${classes.change}`}>{changeText(row, say('fresh'))}</span>
            <span className={`num ${classes.calls}`}>
              {search ? (
                <Link to="/log" search={{ range, ...search } as never} aria-label={`${name}: ${callsText(row)}`}>
                  {callsText(row)}
                </Link>
              ) : (
                callsText(row)
              )}
            </span>
          </li>
        )
      })}
      {rest && (
        <li data-rest>
          <span className={classes.name}>
            {say(report.more ? 'otherMore' : 'other', { number: formatInteger(report.rest_values) })}
          </span>
          <span className={classes.spark} />
          <span className={classes.bar} />
          <span className={classes.amount}>
            <Quota value={rest.value ?? 0} />
            <small className="num">{rest.share === null ? '' : formatPercent(rest.share)}</small>
          </span>
          <span className={`num ${classes.change}`}>{changeText(rest, say('fresh'))}</span>
          <span className={`num ${classes.calls}`}>{callsText(rest)}</span>
        </li>
      )}
    </PanelRows>
  )
}

/** Charged calls of a ranking's range in the log, the dearest first. */
const dearestCalls = ({ start_timestamp: from, end_timestamp: to }: ReturnType<typeof rankingQuery>) => ({
  range: `${from}..${to}`,
  type: String(logType.consume),
  sort: '-quota',
})

/** The largest spenders of a time, with their course and what changed against the time before. */
export const Who = () => {
  const say = useTodayMessages()
  const { enable_data_export: enabled } = useStatus()
  const zone = useTimeZone()
  const [now] = useTimeAnchor()
  const [search, setSearch] = useSearchParams()
  const { by, span } = readChoice(search)
  const query = rankingQuery(by, span, { now, zone: zoneName(zone) })
  const { data, error, refetch, isPlaceholderData } = useEndpoint(calls.getFigures, { query } as never, {
    enabled,
    staleTimeMs: 60_000,
  })
  const isOther = isPlaceholderData && data !== undefined
  return (
    <section className={`panel ${classes.panel}`} aria-labelledby="who">
      <div className={classes.head}>
        <h2 id="who">{say('who')}</h2>
        <Link to="/log" search={dearestCalls(query) as never}>
          {say('dearest')}
        </Link>
        <SegmentedControl
          size="xs"
          aria-label={say('by')}
          value={by}
          onChange={(who) => setSearch({ who: who === 'user' ? undefined : who }, { replace: true })}
          data={rankings.map((value) => ({ value, label: say(value) }))}
        />
        <SegmentedControl
          size="xs"
          aria-label={say('span')}
          value={span}
          onChange={(next) => setSearch({ span: next === '24h' ? undefined : next }, { replace: true })}
          data={spans.map((value) => ({ value, label: say(spanWords[value]) }))}
        />
      </div>
      {!enabled ? (
        <p className={classes.note}>{say('off')}</p>
      ) : error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data === undefined || isOther ? (
        <PanelRows className={classes.rows} isBusy>
          {Array.from({ length: waitingRows }, (_, place) => (
            <li key={place}>
              <Skeleton h={14} w="70%" />
            </li>
          ))}
        </PanelRows>
      ) : data.rows.length === 0 ? (
        <p className={classes.note}>{say('empty')}</p>
      ) : (
        <Rows report={data} by={by} />
      )}
    </section>
  )
}
