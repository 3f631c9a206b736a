import type { ProvisionalReason, Receipt, ReceiptPart } from '@tollgate/contract'
import { recompute } from '../../../billing/cost.ts'
import { decimal, multiply, print } from '../../../billing/decimal.ts'

/** Most models and prices with an entry of their own; the rest are one entry. */
const mostParts = 64
const overflow = 'other models'
/** Most reasons for a provisional charge. */
const mostReasons = 16

/** Source of the entries of `models` in the receipt. */
export const batchSource = 'batch'

type Line = ReceiptPart['lines'][number]
type Tool = NonNullable<ReceiptPart['tools']>[number]
type Head = Omit<ReceiptPart, 'lines' | 'tools' | 'answers'>

interface Part {
  readonly source: string
  readonly model: string
  readonly head: Head
  readonly lines: Map<string, Line>
  readonly tools: Map<string, Tool>
  answers: number
}

const plainHead: Head = { mode: 'tokens', model_ratio: '1' }

/** The factors of a part's lines, beside the ratio of the group. */
const factorOf = ({ mode, model_ratio, model_price, tier, place }: Head, quotaPerUnit: string) =>
  mode === 'call'
    ? multiply(decimal(model_price ?? '0'), decimal(quotaPerUnit))
    : multiply(decimal(model_ratio), decimal(tier?.ratio ?? '1'), decimal(place?.ratio ?? '1'))

/**
 * Sums receipts without rounding: the total is rounded once, and equals the exact sum of the lines. Lines of the same model at the same
 * price are merged.
 */
export class ReceiptSum {
  private readonly parts = new Map<string, Part>()
  private readonly reasons = new Map<string, ProvisionalReason>()
  private disputed: Record<string, number> = {}
  private isEstimated = false
  private first: Pick<Receipt, 'group_ratio' | 'quota_per_unit'> | undefined

  /** Adds a receipt. `model` is the model of its own lines, `answers` the number of answers in it. */
  add(receipt: Receipt, model: string, answers = 1): void {
    const { models, provisional, disputed, estimated, group_ratio, quota_per_unit, ...rest } = receipt
    this.first ??= { group_ratio, quota_per_unit }
    const { quota: _, model: served, held: __, call: ___, ...part } = rest
    this.addPart(part, { source: batchSource, model: served ?? model, answers })
    for (const { source, model: other, asked: _asked, ...each } of models ?? [])
      this.addPart(each, { source, model: other || model, answers })
    for (const reason of provisional ?? []) this.addReason(reason)
    if (disputed !== undefined) this.disputed = { ...this.disputed, ...disputed }
    this.isEstimated ||= estimated
  }

  addReason(reason: ProvisionalReason): void {
    const key = [reason.kind, reason.place, reason.name].join('\n')
    const before = this.reasons.get(key)
    if (before === undefined) {
      if (this.reasons.size < mostReasons) this.reasons.set(key, { ...reason })
    } else if (reason.quantity !== undefined) before.quantity = (before.quantity ?? 0) + reason.quantity
  }

  private addPart(
    { lines, tools, answers: _, ...head }: ReceiptPart,
    { source, model, answers }: Pick<Part, 'source' | 'model' | 'answers'>,
  ): void {
    if (lines.length === 0 && tools === undefined) return
    const key = JSON.stringify([source, model, head])
    const known = this.parts.get(key)
    if (known === undefined && this.parts.size >= mostParts) {
      this.addOther({ lines, tools, ...head }, answers)
      return
    }
    const part = known ?? { source, model, head, lines: new Map(), tools: new Map(), answers: 0 }
    part.answers += answers
    this.parts.set(key, part)
    addAll(part, lines, tools)
  }

  /** Adds to the overflow entry at the exact price. */
  private addOther({ lines, tools, ...head }: ReceiptPart, answers: number): void {
    const part = this.parts.get(overflow) ?? {
      source: batchSource,
      model: overflow,
      head: plainHead,
      lines: new Map(),
      tools: new Map(),
      answers: 0,
    }
    part.answers += answers
    this.parts.set(overflow, part)
    const factor = factorOf(head, this.first?.quota_per_unit ?? '1')
    const priced = lines.map((line) => ({ ...line, price: print(multiply(decimal(line.price), factor)) }))
    addAll(part, priced, tools)
  }

  /** The total and the model of its own lines; undefined where nothing was added. Throws RangeError beyond the safe integers. */
  total(): { readonly receipt: Receipt; readonly model: string } | undefined {
    const { first, parts, reasons, disputed, isEstimated } = this
    if (first === undefined) return undefined
    const [own, ...others] = [...parts.values()].sort((left, right) => sizeOf(right) - sizeOf(left))
    const receipt: Receipt = {
      ...(own === undefined ? { ...plainHead, lines: [] } : printed(own)),
      ...first,
      quota: 0,
      estimated: isEstimated,
    }
    if (others.length > 0)
      receipt.models = others.map((part) => ({ source: part.source, model: part.model, ...printed(part) }))
    if (Object.keys(disputed).length > 0) receipt.disputed = Object.fromEntries(Object.entries(disputed).slice(0, 16))
    if (reasons.size > 0) receipt.provisional = [...reasons.values()]
    return { receipt: { ...receipt, quota: recompute(receipt) }, model: own?.model ?? '' }
  }
}

/** Number of pieces, to sort the largest model first. */
const sizeOf = ({ lines }: Part): number => [...lines.values()].reduce((sum, { quantity }) => sum + quantity, 0)

const addAll = ({ lines, tools }: Part, more: readonly Line[], moreTools: readonly Tool[] | undefined): void => {
  for (const line of more) {
    const key = `${line.item}\n${line.price}`
    const before = lines.get(key)
    if (before === undefined) lines.set(key, { ...line })
    else before.quantity += line.quantity
  }
  for (const tool of moreTools ?? []) {
    const key = `${tool.tool}\n${tool.price}`
    const before = tools.get(key)
    if (before === undefined) tools.set(key, { ...tool })
    else before.quantity += tool.quantity
  }
}

const printed = ({ head, lines, tools, answers }: Part): ReceiptPart => ({
  ...head,
  lines: [...lines.values()],
  answers,
  ...(tools.size === 0 ? {} : { tools: [...tools.values()] }),
})
