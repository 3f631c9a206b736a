import type { Receipt } from '../../../lib/api/contract.ts'
import {
  add,
  type DisplayDecimal,
  decimal,
  divide,
  isZero,
  multiply,
  printDecimal,
  subtract,
} from '../../../lib/decimal.ts'

/** One line as people read it: quantity × unit price × factors = amount. */
export interface ReceiptRow {
  readonly item: string
  /** A tool that ran at the provider; `item` is its name. */
  readonly isTool: boolean
  /** The model whose price the line has, where that is another than the rest of the charge has. */
  readonly model?: string
  readonly quantity: number
  /** Unit of `unitPrice`, if that is neither a million pieces nor a call. */
  readonly per?: MeasureUnit['per'] | 'perMillion'
  /** Currency per million tokens, per call, or per thousand calls of a tool; without the factors. */
  readonly unitPrice: DisplayDecimal
  /** The tier's ratio, where it is not the standard one, and the group's. */
  readonly factors: readonly DisplayDecimal[]
  /** Quota units, exact. */
  readonly amount: DisplayDecimal
}

interface MeasureUnit {
  readonly pieces: DisplayDecimal
  readonly per: 'perHour' | 'perRequest' | 'perThousandPages' | 'perThousandQueries'
}

/** Measures that people price by other numbers than a million; `duration` is milliseconds. */
const measureUnits: ReadonlyMap<string, MeasureUnit> = new Map([
  ['duration', { pieces: decimal(3_600_000), per: 'perHour' }],
  ['request', { pieces: decimal(1), per: 'perRequest' }],
  ['pages', { pieces: decimal(1000), per: 'perThousandPages' }],
  ['queries', { pieces: decimal(1000), per: 'perThousandQueries' }],
])

export interface ReceiptTable {
  readonly rows: readonly ReceiptRow[]
  readonly groupRatio: DisplayDecimal
  readonly quotaPerUnit: DisplayDecimal
  /** The difference made by rounding to whole units; a zero amount has no line. */
  readonly rounding: DisplayDecimal
  /** The charge in quota units: the rows and the rounding together. */
  readonly total: DisplayDecimal
}

const million = decimal(1_000_000)
const perThousand = decimal('0.001')
const nothing = decimal(0)
const pricePlaces = 10

/** Price of one model in a receipt. */
type Part = Pick<
  Receipt,
  'mode' | 'lines' | 'model_ratio' | 'model_price' | 'quota_per_unit' | 'tier' | 'place' | 'tools'
>

/** Quota units of one token or call before the group's ratio. */
const unitQuota = (part: Part, price: DisplayDecimal): DisplayDecimal =>
  part.mode === 'tokens'
    ? multiply(price, decimal(part.model_ratio))
    : multiply(price, decimal(part.model_price ?? '0'), decimal(part.quota_per_unit))

/** Tools that cost nothing are left out: Google's are counted in two ways, of which one has a price. */
const toolRows = ({ tools = [] }: Part, quotaPerUnit: DisplayDecimal, group: DisplayDecimal): ReceiptRow[] =>
  tools
    .map(({ tool, quantity, price }) => ({
      item: tool,
      isTool: true,
      quantity,
      unitPrice: decimal(price),
      factors: [group],
      amount: multiply(decimal(quantity), decimal(price), perThousand, quotaPerUnit, group),
    }))
    .filter(({ unitPrice }) => !isZero(unitPrice))

const rowsOf = (part: Part, quotaPerUnit: DisplayDecimal, group: DisplayDecimal): ReceiptRow[] => {
  const ratios = [part.tier, part.place].flatMap((factor) => (factor === undefined ? [] : [decimal(factor.ratio)]))
  const factors = part.mode === 'tokens' ? [...ratios, group] : [group]
  const used = part.lines.map((line): ReceiptRow => {
    const unit = unitQuota(part, decimal(line.price))
    const measure = measureUnits.get(line.item)
    const pieces = measure?.pieces ?? million
    const shown = part.mode === 'tokens' && line.item !== 'image' ? multiply(unit, pieces) : unit
    return {
      ...(measure === undefined ? {} : { per: measure.per }),
      item: line.item,
      isTool: false,
      quantity: line.quantity,
      unitPrice: divide(shown, quotaPerUnit, pricePlaces),
      factors,
      amount: multiply(decimal(line.quantity), unit, ...factors),
    }
  })
  return [...used, ...toolRows(part, quotaPerUnit, group)]
}

/** The rows of a model of its own price, which may be sold in another way than the rest. */
const modelRows = (
  { mode, quota_per_unit }: Receipt,
  model: NonNullable<Receipt['models']>[number],
  quotaPerUnit: DisplayDecimal,
  group: DisplayDecimal,
): ReceiptRow[] =>
  rowsOf({ ...model, quota_per_unit }, quotaPerUnit, group).map((row) => ({
    ...(mode === model.mode || row.isTool ? {} : { per: model.mode === 'call' ? 'perRequest' : 'perMillion' }),
    ...row,
    model: model.model,
  }))

/** Takes a frozen receipt apart, so that every line can be checked by hand and the lines add up to the charge. */
export const receiptTable = (receipt: Receipt): ReceiptTable => {
  const groupRatio = decimal(receipt.group_ratio)
  const quotaPerUnit = decimal(receipt.quota_per_unit)
  const others = (receipt.models ?? []).flatMap((model) => modelRows(receipt, model, quotaPerUnit, groupRatio))
  const rows = [...rowsOf(receipt, quotaPerUnit, groupRatio), ...others]
  const exact = rows.reduce((sum, row) => add(sum, row.amount), nothing)
  const total = decimal(receipt.quota)
  return { rows, groupRatio, quotaPerUnit, rounding: subtract(total, exact), total }
}

export const hasRounding = (table: ReceiptTable): boolean => !isZero(table.rounding)

/** Quota units as currency with every digit, or as units where the site shows no currency. */
export const printAmount = (units: DisplayDecimal, table: ReceiptTable, currency: boolean): string => {
  if (!currency) return printDecimal(units, 0, 6)
  const text = printDecimal(divide(units, table.quotaPerUnit, 12), 6, 10)
  return text.startsWith('−') ? `−$${text.slice(1)}` : `$${text}`
}

/** A unit price: in currency, or in quota units per million where the site shows no currency. */
export const printUnitPrice = (row: ReceiptRow, table: ReceiptTable, currency: boolean): string =>
  currency ? `$${printDecimal(row.unitPrice, 2, 6)}` : printDecimal(multiply(row.unitPrice, table.quotaPerUnit), 0, 4)
