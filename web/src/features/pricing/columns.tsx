import { Tooltip } from '@mantine/core'
import { CopyText } from '../../components/copy-text.tsx'
import type { Column } from '../../components/data-table/column.ts'
import { Icon } from '../../components/icon.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { quotaType } from '../../lib/contract.ts'
import type { Decimal } from '../logs/decimal.ts'
import type { PricedModel } from './catalogue.ts'
import type { SayPricing } from './messages.ts'
import { type PriceUnit, printPrice, printRatio } from './prices.ts'
import classes from './pricing.module.css'
import type { PricedGroup } from './read-pricing.ts'

export interface PricingView {
  readonly say: SayPricing
  readonly unit: PriceUnit
  readonly group: PricedGroup
  readonly onGroup: (name: string) => void
}

const Name = ({ model, say }: { model: PricedModel; say: SayPricing }) => {
  const { item } = model
  return (
    <span className={classes.name}>
      <CopyText text={item.model_name} name={item.model_name} />
      {!item.priced && (
        <StatusBadge
          tone="warn"
          label={say('unpriced')}
          hint={say('unpricedHint', { ratio: printRatio(item.model_ratio) })}
        />
      )}
    </span>
  )
}

const Availability = ({ available, say }: { available: boolean; say: SayPricing }) => (
  <StatusBadge
    tone={available ? 'good' : 'neutral'}
    label={say(available ? 'available' : 'unavailable')}
    hint={say(available ? 'availableHint' : 'unavailableHint')}
  />
)

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

const Ratios = ({ model, view }: { model: PricedModel; view: PricingView }) => {
  const { item } = model
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

const Price = ({ price, unit, text }: { price: Decimal; unit: PriceUnit; text?: string }) => {
  const exact = printPrice(price, unit, 12)
  const shown = printPrice(price, unit)
  const figure = <span className="num">{text ?? shown}</span>
  return exact === shown ? figure : <Tooltip label={exact}>{figure}</Tooltip>
}

const nothing = <span className="faint">–</span>

const priceColumn = (id: 'input' | 'output' | 'cached', view: PricingView): Column<PricedModel> => {
  const { say, unit } = view
  const priceOf = ({ prices }: PricedModel): Decimal | undefined => prices[id]
  return {
    id,
    header: say(id),
    align: 'right',
    sortable: true,
    cell: (model) => {
      const price = priceOf(model)
      if (price !== undefined) return <Price price={price} unit={unit} />
      const { call } = model.prices
      if (id !== 'input' || call === undefined) return nothing
      return <Price price={call} unit={unit} text={say('perCall', { price: printPrice(call, unit) })} />
    },
    value: (model) => {
      const price = priceOf(model) ?? (id === 'input' ? model.prices.call : undefined)
      return price === undefined ? null : printPrice(price, unit, 12).replaceAll(/[$,]/g, '')
    },
  }
}

/** Columns of the price list; prices are those of the group that is looked at. */
export const pricingColumns = (view: PricingView): readonly Column<PricedModel>[] => {
  const { say } = view
  return [
    {
      id: 'model_name',
      header: say('model'),
      card: 'title',
      sortable: true,
      cell: (model) => <Name model={model} say={say} />,
      value: ({ item }) => item.model_name,
    },
    {
      id: 'quota_type',
      header: say('type'),
      sortable: true,
      cell: ({ item }) => say(item.quota_type === quotaType.call ? 'typeCall' : 'typeUsage'),
      value: ({ item }) => say(item.quota_type === quotaType.call ? 'typeCall' : 'typeUsage'),
    },
    priceColumn('input', view),
    priceColumn('output', view),
    priceColumn('cached', view),
    {
      id: 'model_ratio',
      header: say('ratios'),
      sortable: true,
      cell: (model) => <Ratios model={model} view={view} />,
      value: ({ item }) => item.model_ratio,
    },
    {
      id: 'enable_groups',
      header: say('groups'),
      cell: ({ item }) => <Groups names={item.enable_groups} view={view} />,
      value: ({ item }) => item.enable_groups.join(','),
    },
    {
      id: 'available',
      header: say('availability'),
      cell: ({ available }) => <Availability available={available} say={say} />,
      value: ({ available }) => available,
    },
    {
      id: 'owner',
      header: say('vendor'),
      sortable: true,
      cell: ({ item }) => item.owner,
      value: ({ item }) => item.owner,
    },
    {
      id: 'audio',
      header: say('audioColumn'),
      hidden: true,
      card: 'none',
      cell: ({ item }) =>
        item.audio_ratio === undefined
          ? nothing
          : say('audio', {
              input: printRatio(item.audio_ratio),
              output: printRatio(item.audio_ratio * (item.audio_completion_ratio ?? 1)),
            }),
    },
  ]
}
