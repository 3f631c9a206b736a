import { useMediaQuery } from '@mantine/hooks'
import { CopyButton } from '../../components/copy/copy-text.tsx'
import { Facts } from '../../components/display/facts.tsx'
import { ScrollFrame } from '../../components/scroll-frame.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { EmptyState } from '../../components/states.tsx'
import type { PricingItem } from '../../lib/api/contract.ts'
import type { DisplayDecimal } from '../../lib/decimal.ts'
import type { PricedGroup, Pricing } from '../../lib/pricing.ts'
import { Availability, nothing, Price, typeWord, Unpriced } from './cells.tsx'
import { comparePrices, factorOf, mostCompared } from './compared.ts'
import classes from './details.module.css'
import { usePricingDetailMessages } from './details-messages.ts'
import { GroupChoice } from './group-choice.tsx'
import { usePricingMessages } from './messages.ts'
import { type PriceUnit, pricesIn, sizeOf } from './prices.ts'

/** A fact of one model; undefined where the model lacks it. */
type Cell =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'price'; readonly price: DisplayDecimal; readonly lowest: DisplayDecimal | undefined }
  | { readonly kind: 'availability'; readonly item: PricingItem; readonly available: boolean }
  | undefined

/** One fact of all the models, in their order. */
interface Row {
  readonly label: string
  readonly cells: readonly Cell[]
}

interface Shown {
  readonly items: readonly PricingItem[]
  readonly rows: readonly Row[]
  readonly unit: PriceUnit
  readonly onModel: (name: string) => void
}

const ComparedCell = (props: { price: DisplayDecimal; lowest: DisplayDecimal | undefined; unit: PriceUnit }) => {
  const details = usePricingDetailMessages()
  const { price, lowest, unit } = props
  const isLowest = lowest && sizeOf(price) === sizeOf(lowest)
  const factor = lowest && !isLowest ? factorOf(price, lowest) : undefined
  return (
    <span className={classes.comparedPrice} data-lowest={isLowest || undefined}>
      <Price price={price} unit={unit} />
      {isLowest && <small>{details('lowest')}</small>}
      {factor !== undefined && <small>{details('timesLowest', { factor })}</small>}
    </span>
  )
}

const textCell = (text: string): Cell => ({ kind: 'text', text })

/** The compared facts. A group that does not serve a model has no price for it. */
const useRows = (items: readonly PricingItem[], group: PricedGroup, unit: PriceUnit): readonly Row[] => {
  const say = usePricingMessages()
  const serves = (item: PricingItem): boolean => item.enable_groups.includes(group.name)
  const prices = comparePrices(items.map((item) => (serves(item) ? pricesIn(item, group.ratio, unit) : {})))
  return [
    ...prices.map(({ name, prices: each, lowest }) => ({
      label: say(name),
      cells: each.map((price) => price && { kind: 'price' as const, price, lowest }),
    })),
    {
      label: say('availability'),
      cells: items.map((item) => ({ kind: 'availability' as const, item, available: serves(item) })),
    },
    { label: say('type'), cells: items.map((item) => textCell(say(typeWord(item)))) },
    { label: say('vendor'), cells: items.map(({ owner }) => textCell(owner)) },
    { label: say('groups'), cells: items.map((item) => textCell(item.enable_groups.join(', ') || say('noGroup'))) },
  ]
}

const CellView = ({ cell, unit }: { cell: NonNullable<Cell>; unit: PriceUnit }) => {
  const say = usePricingMessages()
  if (cell.kind === 'text') return cell.text
  if (cell.kind === 'price') return <ComparedCell price={cell.price} lowest={cell.lowest} unit={unit} />
  return (
    <span className={classes.badges}>
      <Availability available={cell.available} say={say} />
      {!cell.item.priced && <Unpriced item={cell.item} say={say} />}
    </span>
  )
}

const Name = ({ item, onModel }: { item: PricingItem; onModel: (name: string) => void }) => {
  const details = usePricingDetailMessages()
  const { model_name: name } = item
  return (
    <span className={classes.comparedName}>
      <button
        type="button"
        className="text-button mono"
        aria-label={details('details', { name })}
        onClick={() => onModel(name)}
      >
        {name}
      </button>
      <CopyButton text={name} name={name} />
    </span>
  )
}

const SideBySide = ({ items, rows, unit, onModel }: Shown) => {
  const say = usePricingMessages()
  const details = usePricingDetailMessages()
  return (
    <ScrollFrame label={details('compare')}>
      <table className={classes.compared} aria-label={details('compare')}>
        <thead>
          <tr>
            <th scope="col">{say('model')}</th>
            {items.map((item) => (
              <th key={item.model_name} scope="col">
                <Name item={item} onModel={onModel} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, cells }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {cells.map((cell, index) => (
                <td key={items[index]?.model_name}>{cell ? <CellView cell={cell} unit={unit} /> : nothing}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  )
}

const Stacked = ({ items, rows, unit, onModel }: Shown) => (
  <ul className={classes.cards}>
    {items.map((item, index) => (
      <li key={item.model_name}>
        <h3 className={classes.head}>
          <Name item={item} onModel={onModel} />
        </h3>
        <Facts
          facts={rows.map(({ label, cells }) => {
            const cell = cells[index]
            return cell && { label, value: <CellView cell={cell} unit={unit} /> }
          })}
        />
      </li>
    ))}
  </ul>
)

/** Compares two to four models with their prices in one group: side by side, on a phone one under the other. */
export const CompareSheet = (props: {
  pricing: Pricing
  names: readonly string[]
  group: PricedGroup
  unit: PriceUnit
  onGroup: (name: string) => void
  onModel: (name: string) => void
  onClose: () => void
}) => {
  const say = usePricingMessages()
  const details = usePricingDetailMessages()
  const { pricing, group, unit, onModel } = props
  const phone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const names = [...new Set(props.names)]
  const found = names.flatMap((name) => pricing.models.find(({ model_name }) => model_name === name) ?? [])
  const items = found.slice(0, mostCompared)
  const gone = names.filter((name) => found.every(({ model_name }) => model_name !== name))
  const rows = useRows(items, group, unit)
  const Models = phone ? Stacked : SideBySide
  return (
    <Sheet
      opened
      onClose={props.onClose}
      title={details('compare')}
      subtitle={say('pricesOf', { group: group.name })}
      width={220 + 190 * items.length}
    >
      {items.length === 0 ? (
        <EmptyState icon="columns" title={details('tooFew')} text={say('compareHowMany', { most: mostCompared })} />
      ) : (
        <div className={classes.comparison}>
          <GroupChoice groups={pricing.groups} value={group.name} onChange={props.onGroup} />
          {gone.length > 0 && <p className="muted">{details('gone', { names: gone.join(', ') })}</p>}
          <Models items={items} rows={rows} unit={unit} onModel={onModel} />
        </div>
      )}
    </Sheet>
  )
}
