import { Sheet } from '../../components/sheet.tsx'
import { decimal, multiply } from '../../lib/decimal.ts'
import type { PricedGroup, Pricing } from '../../lib/pricing.ts'
import { usePricingMessages } from './messages.ts'
import { type PriceUnit, printPrice, printRatio } from './prices.ts'
import classes from './pricing.module.css'

interface Keyed {
  readonly name: string
  /** A model or the beginning of its name; empty for all. */
  readonly models: string
  readonly figure: number
}

/** `web_search:gpt-4o*` is the price of a search for some models, `web_search` for all others. */
const readKeys = (figures: Readonly<Record<string, number>>): Keyed[] =>
  Object.entries(figures)
    .map(([key, figure]) => {
      const [name = '', ...models] = key.split(':')
      return { name, models: models.join(':'), figure }
    })
    .toSorted((a, b) => a.name.localeCompare(b.name) || a.models.localeCompare(b.models))

const Figures = (props: { title: string; unit: string; rows: readonly Keyed[]; print: (figure: number) => string }) => {
  const say = usePricingMessages()
  return (
    <table className={classes.costs} aria-label={props.title}>
      <thead>
        <tr>
          <th scope="col">{props.title}</th>
          <th scope="col" className={classes.names}>
            {say('model')}
          </th>
          <th scope="col">{props.unit}</th>
        </tr>
      </thead>
      <tbody>
        {props.rows.map(({ name, models, figure }) => (
          <tr key={`${name}:${models}`}>
            <th scope="row">
              <code className="mono">{name}</code>
            </th>
            <td className={classes.names}>
              {models === '' ? say('otherModels') : <code className="mono">{models}</code>}
            </td>
            <td className="num">{props.print(figure)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Charges beside or on top of tokens: tools that run at the provider, and faster or cheaper service tiers. */
export const Surcharges = (props: { pricing: Pricing; group: PricedGroup; unit: PriceUnit; onClose: () => void }) => {
  const say = usePricingMessages()
  const { pricing, group, unit } = props
  const perThousand = (price: number): string => {
    const currency = multiply(decimal(price), decimal(group.ratio))
    return printPrice(unit.currency ? currency : multiply(currency, decimal(unit.quotaPerUnit)), unit)
  }
  return (
    <Sheet opened onClose={props.onClose} title={say('surcharges')} subtitle={say('pricesOf', { group: group.name })}>
      <div className={classes.calculator}>
        <p>{say('toolsText')}</p>
        <Figures
          title={say('tool')}
          unit={say('perThousand')}
          rows={readKeys(pricing.toolPrices)}
          print={perThousand}
        />
        <p>{say('tiersText')}</p>
        <Figures
          title={say('tier')}
          unit={say('factor')}
          rows={readKeys(pricing.tierRatios)}
          print={(ratio) => `×${printRatio(ratio)}`}
        />
      </div>
    </Sheet>
  )
}
