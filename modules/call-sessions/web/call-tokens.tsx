import { type BarSeries, Legend, StackedBars } from '#web/components/chart/stacked-bars.tsx'
import { FactsHeading } from '#web/components/display/facts.tsx'
import { useMomentText } from '#web/components/display/time/time-text.tsx'
import { type LogEntry, logType } from '#web/lib/api/contract.ts'
import { formatCompact, formatInteger, formatPercent } from '#web/lib/text/format.ts'
import { useSessionMessages } from './messages.ts'
import { factsOf } from './other.ts'
import classes from './sessions.module.css'

/**
 * The prompt of each call, oldest first: what a cache held, what was written to it, and the rest. `share` of the whole
 * session, 0 to 1, was read from caches; undefined where it had no prompts.
 */
export const CallTokens = ({ logs, share }: { logs: readonly LogEntry[]; share: number | undefined }) => {
  const say = useSessionMessages()
  const moment = useMomentText()
  const answered = logs.filter(({ type }) => type === logType.consume).toReversed()
  if (answered.length < 2) return null
  const facts = answered.map(factsOf)
  const cachedName = `${say('readFromCache')}${share === undefined ? '' : ` ${formatPercent(share)}`}`
  const series: readonly BarSeries[] = [
    { key: 'cached', name: cachedName, values: facts.map(({ cached }) => cached) },
    { key: 'written', name: say('written'), values: facts.map(({ written }) => written) },
    {
      key: 'rest',
      name: say('notCached'),
      rest: true,
      values: answered.map((log, place) => {
        const { cached = 0, written = 0 } = facts[place] ?? {}
        return Math.max(0, log.prompt_tokens - cached - written)
      }),
    },
  ]
  return (
    <>
      <div className={classes.chartHead}>
        <FactsHeading>{say('perCall')}</FactsHeading>
        <Legend series={series} />
      </div>
      <StackedBars
        label={say('perCall')}
        points={answered.map((log, place) => ({ short: formatInteger(place + 1), long: moment(log.created_at) }))}
        series={series}
        format={formatCompact}
        totalLabel={say('input')}
        low
      />
    </>
  )
}
