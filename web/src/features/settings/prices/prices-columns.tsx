import type { Column } from '../../../components/data-table/columns/column.ts'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import classes from './prices.module.css'
import { PriceCell } from './prices-cell.tsx'
import { isTier, type PartChanges, type PricePart, tierParts } from './prices-maps.ts'
import type { SayPrices } from './prices-messages.ts'
import {
  audioCompletionOf,
  audioOf,
  cacheOf,
  completionOf,
  type EditedPrice,
  factorTexts,
  pricesOf,
  ratioOf,
  withAudioOutputPrice,
  withAudioPrice,
  withInputPrice,
  withRelativePrice,
} from './prices-row.ts'

export type Unit = 'price' | 'ratio'

interface ColumnParts {
  readonly say: SayPrices
  readonly unit: Unit
  readonly quotaPerUnit: number
  readonly writable: boolean
  readonly change: (name: string, changes: PartChanges) => void
}

const words = {
  price: {
    price: 'price',
    ratio: 'inputPrice',
    completion: 'outputPrice',
    cache: 'cachePrice',
    audio: 'audioInput',
    audioCompletion: 'audioOutput',
    cacheWrite: 'cacheWritePrice',
    cacheWrite1h: 'cacheWrite1hPrice',
    priority: 'priorityPrice',
    flex: 'flexPrice',
    batch: 'batchTierPrice',
    ultrafast: 'ultrafastPrice',
  },
  ratio: {
    price: 'price',
    ratio: 'ratio',
    completion: 'completion',
    cache: 'cache',
    audio: 'audio',
    audioCompletion: 'audioCompletion',
    cacheWrite: 'cacheWrite',
    cacheWrite1h: 'cacheWrite1h',
    priority: 'priority',
    flex: 'flex',
    batch: 'batchTier',
    ultrafast: 'ultrafast',
  },
} as const satisfies Readonly<Record<Unit, Readonly<Record<PricePart, string>>>>

const text = (value: number | undefined): string => (value === undefined ? '' : String(value))

/** The text of a figure if it is set, and the effective value as placeholder if not. */
const shown = (row: EditedPrice, part: PricePart, { unit, quotaPerUnit, say }: ColumnParts) => {
  const value = row.parts[part]
  const prices = pricesOf(row, quotaPerUnit)
  if (isTier(part) || part === 'cacheWrite' || part === 'cacheWrite1h')
    return factorTexts(row, part, unit === 'price' ? quotaPerUnit : undefined)
  switch (part) {
    case 'price':
      return { value: text(value), placeholder: say('priceHint') }
    case 'ratio': {
      const effective = unit === 'price' ? prices.input : text(ratioOf(row))
      return { value: value === undefined ? '' : effective, placeholder: effective }
    }
    case 'completion': {
      const effective = unit === 'price' ? prices.output : text(completionOf(row))
      return { value: value === undefined ? '' : effective, placeholder: effective }
    }
    case 'cache': {
      const effective = unit === 'price' ? prices.cache : text(cacheOf(row))
      return { value: value === undefined ? '' : effective, placeholder: effective }
    }
    case 'audio': {
      const effective = unit === 'price' ? prices.audio : text(audioOf(row))
      return { value: value === undefined ? '' : effective, placeholder: effective }
    }
    case 'audioCompletion': {
      const effective = unit === 'price' ? prices.audioCompletion : text(audioCompletionOf(row))
      return { value: value === undefined ? '' : effective, placeholder: effective }
    }
  }
}

const changesOf = (
  row: EditedPrice,
  part: PricePart,
  number: number | null,
  parts: ColumnParts,
): PartChanges | undefined => {
  const { unit, quotaPerUnit } = parts
  if (unit === 'ratio' || part === 'price') return { [part]: number }
  if (part === 'ratio') return withInputPrice(row, number, quotaPerUnit)
  if (part === 'audio') return withAudioPrice(row, number, quotaPerUnit)
  if (part === 'audioCompletion') return withAudioOutputPrice(row, number, quotaPerUnit)
  return withRelativePrice(row, part, number, quotaPerUnit)
}

const figureColumn = (part: PricePart, parts: ColumnParts): Column<EditedPrice> => {
  const { say, unit, writable, change } = parts
  const header = say(words[unit][part])
  return {
    id: part,
    header,
    card: 'field',
    width: 104,
    cell: (row) => {
      return (
        <PriceCell
          name={say('cellOf', { part: header, name: row.name })}
          {...shown(row, part, parts)}
          readOnly={!writable}
          disabled={part !== 'price' && row.parts.price !== undefined}
          onSave={(number) => {
            const changes = changesOf(row, part, number, parts)
            if (changes === undefined) return say('wantsInput')
            change(row.name, changes)
            return undefined
          }}
        />
      )
    },
    value: (row) => row.parts[part] ?? null,
  }
}

/** Columns of the editor: the same figures as prices or as ratios. A fixed price switches the ratios off. */
export const priceColumns = (parts: ColumnParts): readonly Column<EditedPrice>[] => [
  {
    id: 'name',
    header: parts.say('model'),
    card: 'title',
    sortable: true,
    width: 180,
    most: 240,
    cell: (row) => (
      <span className={classes.name}>
        <span className="mono">{row.name}</span>
        {row.changed && <StatusBadge tone="info" label={parts.say('changed')} />}
      </span>
    ),
    value: (row) => row.name,
  },
  figureColumn('price', parts),
  figureColumn('ratio', parts),
  figureColumn('completion', parts),
  figureColumn('cache', parts),
  // Few models take sound, and all columns at once are wider than the page.
  { ...figureColumn('audio', parts), hidden: true },
  { ...figureColumn('audioCompletion', parts), hidden: true },
  { ...figureColumn('cacheWrite', parts), hidden: true },
  { ...figureColumn('cacheWrite1h', parts), hidden: true },
  ...tierParts.map((tier) => ({ ...figureColumn(tier, parts), hidden: true })),
]
