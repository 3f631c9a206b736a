import { Figures } from '../../../components/display/figures.tsx'
import { Quota } from '../../../components/display/quota.tsx'
import { useShortMomentText } from '../../../components/display/time/time-text.tsx'
import { ErrorState } from '../../../components/states.tsx'
import { type OutcomeCell, OutcomeStrip } from '../../../components/usage/outcome-strip.tsx'
import usage from '../../../components/usage/usage.module.css'
import { calls, type HealthPoint } from '../../../lib/api/contract.ts'
import { useEndpoint } from '../../../lib/query.ts'
import { formatInteger, formatPercent, formatSeconds, formatSuccess } from '../../../lib/text/format.ts'
import { rateTone } from '../health/health.ts'
import type { DayFigures } from './day-figures.ts'
import { useChannelPageMessages } from './messages.ts'

const refreshEveryMs = 30_000

const toneOf = ({ answered, failed }: HealthPoint): OutcomeCell['tone'] => {
  if (answered + failed === 0) return 'none'
  return rateTone(answered / (answered + failed)) ?? 'good'
}

/** A cell per quarter of an hour: its colour is the share of answered calls. */
const Strip = ({ points }: { points: readonly HealthPoint[] | undefined }) => {
  const say = useChannelPageMessages()
  const moment = useShortMomentText()
  const sum = (of: (point: HealthPoint) => number): string =>
    formatInteger((points ?? []).reduce((total, point) => total + of(point), 0))
  const label = say('strip', { answered: sum(({ answered }) => answered), failed: sum(({ failed }) => failed) })
  return (
    <OutcomeStrip
      cells={points?.map((point) => ({
        at: point.time,
        tone: toneOf(point),
        title: say('cell', {
          time: moment(point.time),
          answered: formatInteger(point.answered),
          failed: formatInteger(point.failed),
        }),
      }))}
      label={label}
      start={say('dayAgo')}
      end={say('now')}
    />
  )
}

const seconds = (ms: number | null | undefined): string => (ms == null ? '—' : formatSeconds(ms))

/** Six figures of the last day over the strip of its quarter hours. */
export const DayStrip = ({ channelId, day }: { channelId: number; day: DayFigures }) => {
  const say = useChannelPageMessages()
  const health = useEndpoint(calls.getChannelHealth, { params: { id: channelId } }, { refreshEveryMs })
  const { data } = health
  const money = (report: DayFigures['spend']) =>
    report.data && (report.data.total.value === null ? '—' : <Quota value={report.data.total.value} />)
  const rate = data?.success_rate ?? null
  const tone = rateTone(rate)
  const { spend, margin } = day
  const share =
    spend.data?.total.value && margin.data?.total.value != null
      ? margin.data.total.value / spend.data.total.value
      : null
  if (health.error && !data) return <ErrorState error={health.error} onRetry={() => void health.refetch()} />
  return (
    <section className={`panel ${usage.strip}`} aria-label={say('lastDay')}>
      <Figures
        figures={[
          {
            label: say('success'),
            value: data && (rate === null ? '—' : formatSuccess(rate)),
            ...(tone ? { tone } : {}),
          },
          { label: say('calls'), value: data && formatInteger(data.calls) },
          {
            label: say('first'),
            value:
              day.firstP50.data &&
              day.firstP95.data &&
              `${seconds(day.firstP50.data.total.value)} / ${seconds(day.firstP95.data.total.value)} s`,
          },
          { label: say('revenue'), value: money(spend) },
          { label: say('cost'), value: money(day.cost) },
          { label: say('margin'), value: money(margin), ...(share === null ? {} : { unit: formatPercent(share) }) },
        ]}
      />
      <Strip points={data?.points} />
    </section>
  )
}
