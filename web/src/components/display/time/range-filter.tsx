import { defineMessages } from '../../../lib/i18n.ts'
import { onDemandWithin } from '../../../lib/loading/on-demand.tsx'
import { printRange, type RangeName, rangeNames, readRange } from '../../../lib/time/time-range.ts'
import { useTimeZone, zoneName } from '../../../lib/time/time-zone.ts'
import { Popover } from '../../menu/popover.tsx'
import classes from './range-filter.module.css'
import { useMomentText } from './time-text.tsx'

const useRangeMessages = defineMessages('range', {
  zh: {
    '15m': '过去 15 分钟',
    '1h': '过去 1 小时',
    '6h': '过去 6 小时',
    '24h': '过去 24 小时',
    '3d': '过去 3 天',
    '7d': '过去 7 天',
    '30d': '过去 30 天',
    today: '今天',
    yesterday: '昨天',
    month: '本月',
    year: '过去 365 天',
    all: '全部时间',
    label: '时间范围',
    since: '{{from}} 起',
    until: '{{to}} 止',
  },
  en: {
    '15m': 'Last 15 minutes',
    '1h': 'Last hour',
    '6h': 'Last 6 hours',
    '24h': 'Last 24 hours',
    '3d': 'Last 3 days',
    '7d': 'Last 7 days',
    '30d': 'Last 30 days',
    today: 'Today',
    yesterday: 'Yesterday',
    month: 'This month',
    year: 'Last 365 days',
    all: 'All time',
    label: 'Time range',
    since: 'Since {{from}}',
    until: 'Until {{to}}',
  },
})

const OwnRange = onDemandWithin(async () => (await import('../../date/own-range.tsx')).OwnRange)

const isName = (text: string): text is RangeName => (rangeNames as readonly string[]).includes(text)

/** Chooses a time range: by name, which stays relative in the address, or from and to. */
export const RangeFilter = (props: {
  value: string | undefined
  fallback?: RangeName
  onChange: (value: string | undefined) => void
  /** The ranges offered by name; all of them unless given. */
  names?: readonly RangeName[]
}) => {
  const say = useRangeMessages()
  const zone = useTimeZone()
  const moment = useMomentText()
  const fallback = props.fallback ?? '24h'
  const value = props.value ?? fallback
  const range = readRange(value, Date.now() / 1000, fallback, zone)
  const choose = (next: string, close: () => void): void => {
    props.onChange(next === fallback ? undefined : next)
    close()
  }
  const fixedLabel = (): string => {
    const from = range.from === undefined ? undefined : moment(range.from, true)
    const to = range.to === undefined ? undefined : moment(range.to, true)
    if (from && to) return `${from} – ${to}`
    if (from) return say('since', { from })
    return to ? say('until', { to }) : say('all')
  }
  return (
    <Popover
      p={10}
      button={(buttonProps) => (
        <button type="button" className={classes.chip} {...buttonProps}>
          <span className="visually-hidden">{say('label')} </span>
          {isName(value) ? say(value) : fixedLabel()}
          {zone !== undefined && <span className="faint"> · {zoneName(zone)}</span>} <span aria-hidden="true">▾</span>
        </button>
      )}
    >
      {(close) => (
        <div className={classes.panel}>
          <div className={classes.names}>
            {(props.names ?? rangeNames).map((name) => (
              <button
                key={name}
                type="button"
                className={classes.name}
                aria-pressed={name === value}
                onClick={() => choose(name, close)}
              >
                {say(name)}
              </button>
            ))}
          </div>
          <OwnRange range={range} onApply={(own) => choose(printRange(own), close)} />
        </div>
      )}
    </Popover>
  )
}
