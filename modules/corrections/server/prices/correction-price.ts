import { type Receipt, receipt as receiptSchema } from '@tollgate/contract'
import { parseJson } from '@tollgate/contract/json'
import { ownMember } from '@tollgate/contract/own-member'
import { recompute } from '#server/billing/cost.ts'
import { type Declarations, declaredKey } from '#server/billing/declared/declarations.ts'
import { settledReceipt } from '#server/billing/declared/settle.ts'
import { withToolsOf } from '#server/billing/named-models/other-prices.ts'
import type { Price } from '#server/billing/price.ts'
import { createPriceBook, type PriceBook } from '#server/billing/prices.ts'
import { readCall } from '#server/features/pricing/logged-call.ts'
import {
  type PriceOptionChange,
  type PriceOptions,
  priceSettings,
  withChanges,
} from '#server/features/pricing/price-options.ts'
import { type LoggedTokens, repricedReceipt } from '#server/features/pricing/reprice/reprice.ts'
import { receiptSince } from '#server/features/pricing/reprice/reprice-since.ts'
import type { LoggedCharge } from '#server/features/pricing/traffic-store.ts'
import { priceWithChoices, taskPrice } from '#server/relay/tasks/task-price.ts'
import { otherThanModels, settledModels } from './settle-models.ts'

/** Prices of corrections: frozen as text when a correction is created, so that later changes of options do not move it. */
export interface CorrectionPrices {
  /** The options with these changes, as text. Throws `option_invalid` like saving does. */
  freeze(changes: readonly PriceOptionChange[]): string
  /** Declarations of what no table knew, as text: only the calls that they are about are computed anew, and only that part of them. */
  freezeDeclared(declarations: Declarations): string
  /** Computes receipts at frozen prices. */
  open(frozen: string): RepriceCharge
}

/**
 * The receipt of a logged call at a price; `charged` (JSON) is the receipt that it was charged by, which may be an earlier correction.
 * A task has a price per call.
 */
export type RepriceCharge = (
  logged: LoggedCharge,
  charged: string,
  kind: { readonly isTask: boolean },
) => Receipt | 'no_receipt' | 'no_price'

export const correctionPrices = (options: () => PriceOptions, now: () => number = Date.now): CorrectionPrices => ({
  freeze(changes) {
    // The price lists come with the program; they are as large as they are the same everywhere.
    const { list: _, ...values } = withChanges(options(), changes)
    return JSON.stringify(values)
  },
  freezeDeclared(settles) {
    const { list: _, ...values } = options()
    return JSON.stringify({ ...values, settles })
  },
  open(frozen) {
    const { list } = options()
    const values = JSON.parse(frozen) as PriceOptions & { readonly settles?: Declarations }
    const book = createPriceBook(priceSettings(list === undefined ? values : { ...values, list }))
    return (logged, charged, { isTask }) => {
      const { data: receipt } = receiptSchema.safeParse(parseJson(charged))
      if (receipt === undefined) return 'no_receipt'
      const price = isTask
        ? taskPriceOf(book, logged, receipt)
        : book.of(logged.model_name, logged.group, { acceptsUnpriced: false })
      const { tokens, upstreamModel } = readCall(logged)
      try {
        if (values.settles !== undefined) {
          const priced = pricedSince(receipt, values.settles, (model) =>
            book.of(model, logged.group, {
              acceptsUnpriced: false,
              at: logged.created_at * 1000,
              known: now(),
            }),
          )
          const present =
            priced === undefined ? receipt : receiptSince(receipt, withToolsOf(priced, upstreamModel), tokens)
          return settledOrSame(receipt, present, { settles: values.settles, price: priced ?? price, tokens })
        }
        if (price === undefined) return 'no_price'
        return repricedReceipt(receipt, withToolsOf(price, upstreamModel), tokens)
      } catch (error) {
        // More than a whole number holds.
        if (error instanceof RangeError) return 'no_price'
        throw error
      }
    }
  },
})

/** The price of a task with the factors that are declared of what it chose. */
const taskPriceOf = (book: PriceBook, logged: LoggedCharge, { versions }: Receipt): Price | undefined => {
  const price = taskPrice(book, logged.model_name, logged)
  const platform = logged.model_name.startsWith('suno_') ? 'suno' : 'midjourney'
  return price && versions ? priceWithChoices(price, platform, versions) : price
}

/**
 * Present price of a model that had none when it was called; undefined if the charge has another reason, or if the price is still
 * unknown.
 */
const pricedSince = (
  { provisional = [] }: Receipt,
  settles: Declarations,
  priceOf: (model: string) => Price | undefined,
): Price | undefined => {
  const reason = provisional.find((each) => ownMember(settles, declaredKey(each))?.as === 'priced')
  const price = reason === undefined ? undefined : priceOf(reason.name)
  return price?.provisional === undefined ? price : undefined
}

/**
 * A user never pays more than was charged provisionally; a receipt that would be dearer stays as it is. `present` is the receipt, or the
 * one at the price of a model that had none.
 */
const settledOrSame = (
  receipt: Receipt,
  present: Receipt,
  { settles, price, tokens }: { settles: Declarations; price: Price | undefined; tokens: LoggedTokens },
): Receipt => {
  const models = price === undefined ? undefined : settledModels(present, settles, price, tokens)
  const settled = settledReceipt(models ?? present, otherThanModels(settles), price) ?? models ?? present
  if (settled === receipt) return receipt
  const quota = Math.max(0, recompute(settled))
  return quota < receipt.quota ? { ...settled, quota } : receipt
}
