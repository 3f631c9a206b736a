import type { Receipt, ReceiptModel, ReceiptPart } from '@tollgate/contract'
import { print } from '../../../billing/decimal.ts'
import { answerPlace, knownPrice, modelKind } from '../../../billing/named-models/priced-models.ts'
import type { Price } from '../../../billing/price.ts'

/** Computes the part of a receipt that one model used at another price. */
type Reprice = (part: Receipt, price: Price) => Receipt

/** Price of one model in a receipt. */
const partOf = ({
  mode,
  lines,
  basis,
  model_ratio,
  model_price,
  price_version,
  context_above,
  tier,
  place,
  tools,
  answers,
}: ReceiptPart): ReceiptPart => ({
  mode,
  lines,
  model_ratio,
  ...(basis === undefined ? {} : { basis }),
  ...(model_price === undefined ? {} : { model_price }),
  ...(price_version === undefined ? {} : { price_version }),
  ...(context_above === undefined ? {} : { context_above }),
  ...(tier === undefined ? {} : { tier }),
  ...(place === undefined ? {} : { place }),
  ...(tools === undefined ? {} : { tools }),
  ...(answers === undefined ? {} : { answers }),
})

/** A receipt of this part alone, at the group ratio of the whole. */
const alone = (part: ReceiptPart, { group_ratio, quota_per_unit, estimated }: Receipt): Receipt => ({
  ...partOf(part),
  group_ratio,
  quota_per_unit,
  quota: 0,
  estimated,
})

/** The count of a call of a fixed price does not say how many tokens another model used: its part stays as it was charged. */
const isKnown = (part: ReceiptPart, price: Price): boolean => part.mode === 'tokens' || price.perCall !== undefined

/**
 * The receipt of an answer of several models at other prices, without its quota. Each part costs what its model costs at the prices beside
 * `price`; one whose model has none stays as it was charged. Reasons of models that have a price by now go.
 */
export const repricedModels = (receipt: Receipt, price: Price, reprice: Reprice): Receipt => {
  const { model, models, provisional, ...rest } = receipt
  const priced = new Set<string>()
  const main = model === undefined ? price : knownPrice({ place: answerPlace, model }, price)
  if (model !== undefined && main !== undefined) priced.add(`${answerPlace} ${model}`)
  const own = main === undefined || main === 'free' ? rest : reprice(rest, main)
  const others = (models ?? []).flatMap((part): ReceiptModel[] => {
    const { source, model: name, asked } = part
    const at = knownPrice({ place: source, model: name, ...(asked === undefined ? {} : { asked }) }, price)
    if (at === undefined || (at !== 'free' && !isKnown(part, at))) return [part]
    priced.add(`${source} ${name}`)
    if (at === 'free') return []
    const named = { source, model: name, ...(asked === undefined ? {} : { asked }) }
    return [{ ...named, ...partOf(reprice(alone(part, receipt), at)) }]
  })
  const left = provisional?.filter(({ kind, place, name }) => kind !== modelKind || !priced.has(`${place} ${name}`))
  return {
    ...own,
    group_ratio: print(price.groupRatio),
    quota_per_unit: print(price.quotaPerUnit),
    ...(model === undefined || main === price ? {} : { model }),
    ...(others.length === 0 ? {} : { models: others }),
    ...(left === undefined || left.length === 0 ? {} : { provisional: left }),
  }
}
