import { CopyButton } from '../../components/copy/copy-text.tsx'
import type { Column } from '../../components/data-table/columns/column.ts'
import { Icon } from '../../components/display/icon.tsx'
import { Logo } from '../../components/logo/logo.tsx'
import { type PricingItem, quotaType } from '../../lib/api/contract.ts'
import type { DisplayDecimal } from '../../lib/decimal.ts'
import type { PricedGroup } from '../../lib/pricing.ts'
import { formatDuration, formatSuccess } from '../../lib/text/format.ts'
import type { SayCatalogue } from './catalogue/messages.ts'
import { shortTokens, tokensPerSecond } from './catalogue/words.ts'
import type { PricedModel } from './catalogue.ts'
import { Availability, nothing, Price, typeWord, Unpriced } from './cells.tsx'
import type { SayPricing } from './messages.ts'
import { type PriceUnit, pieceOf, printPrice, printRatio } from './prices.ts'
import classes from './pricing.module.css'

export interface PricingView {
  readonly say: SayPricing
  readonly sayCatalogue: SayCatalogue
  readonly unit: PriceUnit
  readonly group: PricedGroup
  readonly onGroup: (name: string) => void
}

/** The groups that serve a model; a click shows their prices. */
const Groups = ({ names, view }: { names: readonly string[]; view: PricingView }) => {
  const { say, group, onGroup } = view
  if (names.length === 0) return <span className="faint">{say('noGroup')}</span>
  return (
    <span className={classes.groups}>
      {names.map((name) => {
        const shown = name === group.name
        return (
          <button
            key={name}
            type="button"
            className={classes.group}
            aria-pressed={shown}
            aria-label={shown ? say('selectedGroup', { group: name }) : say('chooseGroup', { group: name })}
            onClick={() => onGroup(name)}
          >
            {shown && <Icon name="check" size={12} />}
            {name}
          </button>
        )
      })}
    </span>
  )
}

const Ratios = ({ item, view }: { item: PricingItem; view: PricingView }) => {
  const { say, group } = view
  const byCall = item.quota_type === quotaType.call
  const facts = [
    ...(byCall
      ? []
      : [
          [say('modelShort'), item.model_ratio],
          [say('completionShort'), item.completion_ratio],
        ]),
    [say('groupShort'), group.ratio],
  ] as const
  return (
    <span className={classes.ratios}>
      {facts.map(([label, ratio]) => (
        <span key={label}>
          <span className="faint">{label}</span> {printRatio(Number(ratio))}
        </span>
      ))}
    </span>
  )
}

const priceColumn = (id: 'input' | 'output' | 'cached', view: PricingView): Column<PricedModel> => {
  const { say, unit } = view
  const priceOf = ({ prices }: PricedModel): DisplayDecimal | undefined => prices[id]
  return {
    id,
    header: say(id),
    align: 'right',
    sortable: true,
    ...(id === 'cached' ? { card: 'none' } : {}),
    cell: (model) => {
      const price = priceOf(model)
      if (price !== undefined) return <Price price={price} unit={unit} />
      const piece = pieceOf(model.prices)
      if (id !== 'input' || piece === undefined) return nothing
      const text = printPrice(piece.price, unit)
      return (
        <Price
          price={piece.price}
          unit={unit}
          text={piece.name === 'call' ? say('perCall', { price: text }) : `${text} · ${say(piece.name)}`}
        />
      )
    },
    value: (model) => {
      const price = priceOf(model) ?? (id === 'input' ? pieceOf(model.prices)?.price : undefined)
      return price === undefined ? null : printPrice(price, unit, 12).replaceAll(/[$,]/g, '')
    },
  }
}

const measureColumn = (
  id: string,
  header: string,
  read: (model: PricedModel) => number | null | undefined,
  print: (value: number) => string,
): Column<PricedModel> => ({
  id,
  header,
  align: 'right',
  sortable: true,
  card: 'none',
  cell: (model) => {
    const value = read(model) ?? null
    return value === null ? nothing : <span className="num">{print(value)}</span>
  },
  value: (model) => read(model) ?? null,
})

/** Ratios of sound to text input; undefined for models without sound. */
const audioText = (
  { audio_ratio: inputRatio, audio_completion_ratio: completionRatio }: PricingItem,
  say: SayPricing,
) => {
  if (inputRatio === undefined) return undefined
  const input = printRatio(inputRatio)
  return completionRatio === undefined
    ? say('audioInputOnly', { input })
    : say('audio', { input, output: printRatio(inputRatio * completionRatio) })
}

/** Columns of the price list; prices are those of the group that is looked at. */
export const pricingColumns = (view: PricingView): readonly Column<PricedModel>[] => {
  const { say, sayCatalogue } = view
  return [
    {
      id: 'model_name',
      header: say('model'),
      card: 'title',
      sortable: true,
      most: 250,
      cell: ({ item, card }) => (
        <span className={classes.named}>
          <Logo of={{ maker: card.maker, model: item.model_name }} name={item.model_name} />
          <span className="mono">{item.model_name}</span>
        </span>
      ),
      beside: ({ item, available }) => (
        <span className={classes.beside}>
          <CopyButton text={item.model_name} name={item.model_name} />
          {!item.priced && <Unpriced item={item} say={say} />}
          {!available && <Availability available={false} say={say} />}
        </span>
      ),
      value: ({ item }) => item.model_name,
    },
    {
      id: 'quota_type',
      header: say('type'),
      sortable: true,
      card: 'none',
      cell: ({ item }) => say(typeWord(item)),
      value: ({ item }) => say(typeWord(item)),
    },
    priceColumn('input', view),
    priceColumn('output', view),
    priceColumn('cached', view),
    {
      id: 'context',
      header: sayCatalogue('context'),
      align: 'right',
      card: 'none',
      sortable: true,
      cell: ({ card }) => (card.context > 0 ? shortTokens(card.context) : nothing),
      value: ({ card }) => card.context || null,
    },
    // Measures stand on the cards and in the table below them; all at once would be wider than the page.
    {
      ...measureColumn('first', sayCatalogue('first'), ({ measures }) => measures?.first_p50, formatDuration),
      hidden: true,
    },
    {
      ...measureColumn(
        'speed',
        sayCatalogue('speed'),
        ({ measures }) => measures?.speed,
        (speed) => tokensPerSecond(speed, sayCatalogue),
      ),
      hidden: true,
    },
    {
      ...measureColumn('uptime', sayCatalogue('uptime'), ({ measures }) => measures?.uptime, formatSuccess),
      hidden: true,
    },
    {
      id: 'model_ratio',
      header: say('ratios'),
      sortable: true,
      hidden: true,
      card: 'none',
      cell: ({ item }) => <Ratios item={item} view={view} />,
      value: ({ item }) => item.model_ratio,
    },
    {
      id: 'enable_groups',
      header: say('groups'),
      card: 'none',
      cell: ({ item }) => <Groups names={item.enable_groups} view={view} />,
      value: ({ item }) => item.enable_groups.join(','),
    },
    {
      id: 'available',
      header: say('availability'),
      hidden: true,
      card: 'none',
      cell: ({ available }) => <Availability available={available} say={say} />,
      value: ({ available }) => available,
    },
    {
      id: 'owner',
      header: say('vendor'),
      hidden: true,
      card: 'none',
      sortable: true,
      cell: ({ card }) => card.maker,
      value: ({ card }) => card.maker,
    },
    {
      id: 'audio',
      header: say('audioColumn'),
      hidden: true,
      card: 'none',
      cell: ({ item }) => audioText(item, say) ?? nothing,
    },
  ]
}
