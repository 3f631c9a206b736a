import { ownMember } from '@tollgate/contract/own-member'
import { type DeclaredAs, declaredKey, type Reason } from '../declared/declarations.ts'
import type { Price } from '../price.ts'
import { type AnswerModels, completionTokens, type NamedUsage, promptTokens, type Usage } from '../usage.ts'
import { keepOtherPrices, otherPricesOf } from './other-prices.ts'
import { isSameModel } from './same-model.ts'

/** The kind of a model whose price is not known, among the reasons of provisional charges. */
export const modelKind = 'model'
/** The place of the model that wrote the whole answer. */
export const answerPlace = 'answer'

/** Usage of a model other than the requested one, and its price. */
export interface PricedUsage extends NamedUsage {
  readonly price: Price
}

/** The prices of all models of an answer. */
export interface PricedModels {
  /** Of the counts of the answer itself. */
  readonly price: Price
  /** The model that they are priced as; undefined where it is the requested one. */
  readonly served: string | undefined
  readonly others: readonly PricedUsage[]
  readonly reasons: readonly Reason[]
}

type CostOf = (usage: Usage, price: Price) => number

const dearest = (usage: Usage, prices: readonly Price[], costOf: CostOf): Price | undefined => {
  let found: { price: Price; cost: number } | undefined
  for (const price of prices) {
    const cost = costOf(usage, price)
    if (found === undefined || cost > found.cost) found = { price, cost }
  }
  return found?.price
}

/** The price that an operator declared for a model without one: that of another model, or none of its own. */
export const declaredPrice = (
  declared: DeclaredAs | undefined,
  place: string,
  asked: Price,
): Price | 'free' | undefined => {
  if (declared?.as === 'model') return otherPricesOf(asked)?.priceOf(declared.model)
  if (declared?.as !== 'informative') return undefined
  return place === answerPlace ? asked : 'free'
}

/** The price of a model of an answer; `free` where an operator declared that it has none; undefined where it is not known. */
export const knownPrice = (
  { place, model, asked }: Pick<NamedUsage, 'place' | 'model' | 'asked'>,
  price: Price,
): Price | 'free' | undefined => {
  if (asked === true || isSameModel(model, price.model)) return price
  const known = otherPricesOf(price)?.priceOf(model)
  if (known !== undefined) return known
  const key = declaredKey({ kind: modelKind, place, name: model })
  return declaredPrice(price.declared && ownMember(price.declared, key), place, price)
}

/** True where an answer names a model whose price is not known. */
export const lacksPrice = ({ served, others }: AnswerModels, price: Price): boolean =>
  (served !== undefined && knownPrice({ place: answerPlace, model: served }, price) === undefined) ||
  others.some((each) => knownPrice(each, price) === undefined)

const reasonOf = (place: string, model: string, usage: Usage): Reason => ({
  kind: modelKind,
  place,
  name: model,
  value: model,
  quantity: promptTokens(usage) + completionTokens(usage),
})

/** The price without a reason of its own: that of the model that is charged at it is stated already. */
const certain = (price: Price): Price => {
  if (price.provisional === undefined) return price
  const { provisional: _, ...plain } = price
  return keepOtherPrices(plain, otherPricesOf(price))
}

/**
 * The prices of the models that an answer names. One without a price is charged at the dearest price of its maker that is known, or at
 * that of the asked model where this is dearer.
 */
export const pricedModels = (
  models: AnswerModels,
  { usage, price, costOf }: { readonly usage: Usage; readonly price: Price; readonly costOf: CostOf },
): PricedModels => {
  const reasons: Reason[] = []
  const dearestFor = (place: string, model: string, counts: Usage): Price => {
    reasons.push(reasonOf(place, model, counts))
    // A fixed price per call does not price tokens.
    const ofMaker = (otherPricesOf(price)?.ofMaker(model) ?? []).filter(({ perCall }) => perCall === undefined)
    return certain(dearest(counts, [price, ...ofMaker], costOf) ?? price)
  }
  const { served, stated } = models
  const main = served === undefined ? price : knownPrice({ place: answerPlace, model: served }, price)
  const known = main === 'free' ? price : main
  const others = models.others.flatMap((each): PricedUsage[] => {
    const found = knownPrice(each, price)
    if (found === 'free') return []
    return [{ ...each, price: found ?? dearestFor(each.place, each.model, each.usage) }]
  })
  if (stated !== undefined) {
    const key = declaredKey({ kind: modelKind, place: answerPlace, name: stated })
    const declared = declaredPrice(price.declared && ownMember(price.declared, key), answerPlace, price)
    if (declared === undefined) reasons.push(reasonOf(answerPlace, stated, usage))
    else if (declared !== 'free' && declared !== price) return { price: declared, served: stated, others, reasons }
  }
  const isOther = served !== undefined && known !== price
  const whole = known ?? dearestFor(answerPlace, served ?? '', usage)
  return { price: whole, served: isOther ? served : undefined, others, reasons }
}
