import { Skeleton } from '@mantine/core'
import { calls, type PricePoint } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { formatChange } from '../../lib/text/format.ts'
import { useCurrentMinute } from '../../lib/time/current-minute.ts'
import { StepLines } from '../chart/step-lines.tsx'
import { FactsHeading } from '../display/facts.tsx'
import { useDayText } from '../display/time/time-text.tsx'
import { ErrorState } from '../states.tsx'
import { dollars, ListPrice } from './list-price.tsx'
import { useListPriceMessages } from './messages.ts'
import classes from './price-history.module.css'

const staySeconds = 60
const dayS = 86_400

const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text)

const Version = ({ point }: { point: PricePoint }) => {
  const say = useListPriceMessages()
  const name = point.version === 'operator' ? say('operator') : point.version || say('none')
  return (
    <p className={classes.version}>
      {say('version')}{' '}
      {isWebAddress(point.source) ? (
        <a href={point.source} target="_blank" rel="noreferrer">
          {name}
        </a>
      ) : (
        name
      )}
    </p>
  )
}

const Figures = ({ point }: { point: PricePoint }) => {
  const say = useListPriceMessages()
  if (point.per_call !== undefined)
    return (
      <p className="num">
        {say('perCall')} ${point.per_call}
      </p>
    )
  if (point.price === undefined) return <p className="muted">{say('noPrice')}</p>
  return (
    <>
      <ListPrice price={point.price} />
      {point.hours?.map((price) => (
        <ListPrice key={price.hours?.start} price={price} />
      ))}
    </>
  )
}

const Points = ({ points, title }: { points: readonly PricePoint[]; title: string }) => {
  const say = useListPriceMessages()
  const day = useDayText()
  if (points.length === 0) return null
  return (
    <>
      <FactsHeading>{title}</FactsHeading>
      <ul className={classes.points}>
        {points.map((point) => (
          <li key={point.from}>
            <strong>{point.from === 0 ? say('always') : say('since', { day: day(point.from) })}</strong>
            <Figures point={point} />
            <Version point={point} />
          </li>
        ))}
      </ul>
    </>
  )
}

const drawnKinds = ['input', 'output', 'cache_read'] as const
type DrawnKind = (typeof drawnKinds)[number]

const Chart = ({ model, points, now }: { model: string; points: readonly PricePoint[]; now: number }) => {
  const say = useListPriceMessages()
  const day = useDayText()
  const [, second] = points
  if (second === undefined) return null
  const last = points.at(-1)?.from ?? now
  // The first price has no start; it is drawn over a tenth of the other prices' time.
  const until = Math.max(now, last + 30 * dayS)
  const first = Math.min(second.from, now) - Math.max(30 * dayS, Math.floor((until - second.from) / 10))
  const from = points.map((point) => (point.from === 0 ? first : point.from))
  const valuesOf = (kind: DrawnKind): (number | undefined)[] =>
    points.map(({ price }) => (price?.rates[kind] === undefined ? undefined : Number(price.rates[kind])))
  const series = drawnKinds
    .map((kind) => ({ name: say(kind), values: valuesOf(kind) }))
    .filter(({ values }) => values.some((value) => value !== undefined))
  if (series.length === 0) return null
  /** By how much the first figure that changed at a point did. */
  const changeAt = (index: number): string => {
    for (const { values } of series) {
      const [before, after] = [values[index - 1], values[index]]
      if (before !== undefined && after !== undefined && before > 0 && before !== after)
        return formatChange(after / before - 1).replace('.0%', '%')
    }
    return ''
  }
  const marks = from.slice(1).map((at, index) => {
    const change = changeAt(index + 1)
    return { at, text: change === '' ? day(at) : `${day(at)}: ${change}` }
  })
  return (
    <StepLines
      label={say('chart', { model })}
      from={from}
      until={until}
      now={now}
      names={[day(first), day(until)]}
      series={series}
      marks={marks}
      format={(value) => dollars('input', String(value))}
      axis={(value) => dollars('input', String(Number(value.toPrecision(6)))).replace(/\.00$/, '')}
    />
  )
}

/** Price of a model in dollars: today's with its source, earlier ones, and announced ones. */
export const PriceHistory = ({ model }: { model: string }) => {
  const say = useListPriceMessages()
  const now = useCurrentMinute()
  const { data, error, refetch } = useEndpoint(
    calls.getPriceHistory,
    { query: { model } },
    { staleTimeMs: staySeconds * 1000 },
  )
  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton h={80} mb={18} />
  const current = data.findLast(({ from }) => from <= now)
  const past = data.filter((point) => point.from <= now && point !== current)
  return (
    <section className={classes.history} aria-label={say('title')}>
      <p className="muted">{say('text')}</p>
      {current && (
        <div>
          <Figures point={current} />
          <Version point={current} />
        </div>
      )}
      <Chart model={model} points={data} now={now} />
      <Points points={data.filter(({ from }) => from > now)} title={say('next')} />
      <Points points={past.toReversed()} title={say('past')} />
    </section>
  )
}
