import type { DatedPrice, PriceKind } from '../../lib/api/contract.ts'
import { type DisplayDecimal, decimal, multiply, printDecimal } from '../../lib/decimal.ts'
import { formatInteger } from '../../lib/text/format.ts'
import { type SayListPrice, useListPriceMessages } from './messages.ts'
import classes from './price-history.module.css'

/** Customary price units of other measures, as a part of a million: an hour of milliseconds, a thousand pages. */
const partOfMillion: ReadonlyMap<PriceKind, DisplayDecimal> = new Map([
  ['duration', decimal('3.6')],
  ['request', decimal('0.000001')],
  ['picture', decimal('0.000001')],
  ['pages', decimal('0.001')],
  ['queries', decimal('0.001')],
])

/** The order in which parts are listed; parts that a price does not name are left out. */
const order: readonly PriceKind[] = [
  'input',
  'output',
  'cache_read',
  'explicit_cache_read',
  'cache_write',
  'cache_write_1h',
  'reasoning',
  'audio_input',
  'audio_cache_read',
  'audio_output',
  'image_input',
  'image_cache_read',
  'image_output',
  'video_input',
  'video_output',
  'request',
  'duration',
  'characters',
  'pages',
  'queries',
  'picture',
]

/** Dollars as people write them, with every digit that the price has. */
export const dollars = (kind: PriceKind, rate: string): string => {
  const part = partOfMillion.get(kind)
  const value = part === undefined ? decimal(rate) : multiply(decimal(rate), part)
  return `$${printDecimal(value, 2, 12)}`
}

const hoursText = ({ weekdays, except }: NonNullable<DatedPrice['hours']>) => {
  if (weekdays !== true) return 'hours'
  return except === undefined ? 'weekdayHours' : 'workdayHours'
}

const clock = (time: string): string => time.replace(/^(\d\d:\d\d):00/, '$1')

/** `01:00` and `04:00 UTC`; other zones as they are written. */
const clocksOf = ({ start, end }: { readonly start: string; readonly end: string }) =>
  [start, end].every((time) => time.endsWith('Z'))
    ? { start: clock(start.slice(0, -1)), end: `${clock(end.slice(0, -1))} UTC` }
    : { start: clock(start), end: clock(end) }

export const pricedKinds = (rates: DatedPrice['rates']): readonly PriceKind[] =>
  order.filter((kind) => rates[kind] !== undefined)

export const Rates = ({ rates, say }: { rates: DatedPrice['rates']; say: SayListPrice }) => (
  <dl className={classes.rates}>
    {pricedKinds(rates).map((kind) => (
      <div key={kind}>
        <dt>{say(kind)}</dt>
        <dd className="num">{dollars(kind, rates[kind] ?? '0')}</dd>
      </div>
    ))}
  </dl>
)

/** A price in dollars: each part, then long prompts. */
export const ListPrice = ({ price }: { price: DatedPrice }) => {
  const say = useListPriceMessages()
  return (
    <div className={classes.price}>
      {price.hours && <h4>{say(hoursText(price.hours), clocksOf(price.hours))}</h4>}
      <Rates rates={price.rates} say={say} />
      {price.contexts?.map(({ above, rates }) => (
        <div key={above}>
          <h4>{say('above', { tokens: formatInteger(above) })}</h4>
          <Rates rates={rates} say={say} />
        </div>
      ))}
    </div>
  )
}
