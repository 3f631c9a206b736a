import { cost } from '../../billing/cost.ts'
import { otherPricesOf } from '../../billing/named-models/other-prices.ts'
import { isSameModel } from '../../billing/named-models/same-model.ts'
import type { Price } from '../../billing/price.ts'
import { type AnswerModels, type NamedUsage, sumOfModels, sumOfUsage, type Usage } from '../../billing/usage.ts'
import { objectsOf, textOf } from '../../dialects/conversation/json.ts'
import { defaultPictureModel } from '../../dialects/openai-responses/billed/drawn-pictures.ts'
import { shortText } from '../../lib/bounded-text.ts'
import type { RelayCall } from '../call.ts'
import type { Answered } from '../exchange/exchange.ts'

/** Members of a body that name models beside `model`, of which one may answer: OpenRouter's and Vercel's `models`, Anthropic's `fallbacks`. */
const members = ['models', 'fallbacks', 'preset'] as const

/** Names that are no model but a choice among many, and have no price of their own: `openrouter/auto`, `@preset/…`. */
const router = /^~?openrouter\/|@preset\//i

/** True for the name of a router, which chooses a model for each call. */
export const isRouter = (model: string): boolean => router.test(model)

/** True where the request names other models that may answer. */
export const namesOthers = ({ body }: Pick<RelayCall, 'body'>): boolean =>
  members.some((name) => body[name] !== undefined && body[name] !== null)

const longestName = 120

/** Model and price of the sent call. */
interface Sent {
  readonly call: RelayCall
  /** Model after the channel's mapping. */
  readonly model: string
  readonly price: Price
}

/** Some tools name their model in the request alone. */
const toolModel = (place: string, { body }: RelayCall): string => {
  const tool = objectsOf(body.tools).find(({ type, model }) => type === place && textOf(model) !== '')
  return tool === undefined ? defaultPictureModel : shortText(textOf(tool.model), longestName)
}

const isListed = ({ version }: Price): boolean => version !== undefined && version !== 'operator'

/** True if the lists price both names, and differently: the answer would have had another price. */
const costsOther = (usage: Usage, stated: string, { model, price }: Sent): boolean => {
  const others = otherPricesOf(price)
  if (others === undefined || !isListed(price)) return false
  const named = others.priceOf(stated)
  const asked = named === undefined ? undefined : others.priceOf(model)
  if (asked === undefined || named === undefined || !isListed(asked) || !isListed(named)) return false
  return cost(usage, asked) !== cost(usage, named)
}

/** Effect of the model that an answer names on its price; undefined for none. */
const statedBy = (
  { answer }: Answered,
  usage: Usage,
  sent: Sent,
): Pick<AnswerModels, 'served' | 'stated'> | undefined => {
  const { call, model, price } = sent
  if (answer.statedModel?.(false) === model && !answer.isPartial()) return undefined
  const others = namesOthers(call)
  const mayBeOther = others || isRouter(model)
  const text = answer.statedModel?.(mayBeOther)
  if (text === undefined || text === '' || text === model || text === price.model) return undefined
  const stated = shortText(text, longestName)
  if (isSameModel(stated, model) || isSameModel(stated, price.model)) return undefined
  // An operator's fixed price of a router applies to whatever model it chooses.
  if (mayBeOther) return price.perCall !== undefined && !others ? undefined : { served: stated }
  return costsOther(usage, stated, sent) ? { stated } : undefined
}

const askedAgain = (each: NamedUsage, { model, price }: Sent): boolean =>
  isSameModel(each.model, model) || isSameModel(each.model, price.model)

/** Models by their names in the request; the asked model's usage belongs to the answer itself, if it wrote that. */
const resolved = (usage: Usage, models: AnswerModels, sent: Sent): Usage => {
  const { models: _, ...plain } = usage
  const named = models.others.map((each) =>
    each.model === '' ? { ...each, model: each.asked === true ? sent.model : toolModel(each.place, sent.call) } : each,
  )
  const isOther = models.served !== undefined && !askedAgain({ place: '', model: models.served, usage }, sent)
  const own = named.filter((each) => askedAgain(each, sent))
  const rest = named.filter((each) => !askedAgain(each, sent))
  const { served, ...unserved } = models
  if (isOther) {
    const others = sumOfModels([...rest, ...own.map((each) => ({ ...each, asked: true as const }))])
    return { ...plain, models: { ...unserved, ...(served === undefined ? {} : { served }), others } }
  }
  const apart: NamedUsage[] = []
  let whole: Usage = plain
  for (const each of own) {
    const isSamePrice = each.usage.tier === plain.tier && each.usage.place === plain.place
    if (isSamePrice) whole = { ...whole, ...tokensOf(sumOfUsage(whole, each.usage)) }
    else apart.push({ ...each, asked: true })
  }
  const others = sumOfModels([...rest, ...apart])
  return others.length === 0 && unserved.stated === undefined ? whole : { ...whole, models: { ...unserved, others } }
}

const tokensOf = ({ tier: _, place: __, models: ___, ...tokens }: Usage): Partial<Usage> => tokens

/**
 * Usage with the models that have worked on the answer: a call that names several models, or a router, is priced as the answering model.
 * For a plain call the stated name changes no price; where price lists have different prices for both names, the charge is marked.
 */
export const withAnswerModels = (usage: Usage, answered: Answered, sent: Sent): Usage => {
  const { endpoint } = sent.call
  const isText = endpoint === 'conversation' || endpoint === 'completions'
  const stated = isText && usage.models?.served === undefined ? statedBy(answered, usage, sent) : undefined
  if (usage.models === undefined && stated === undefined) return usage
  return resolved(usage, { others: [], ...usage.models, ...stated }, sent)
}
