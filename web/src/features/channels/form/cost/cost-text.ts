import { isObject } from '@tollgate/contract/json'
import { readObject, withMember } from '../json-text.ts'

/** Cost fields of the form, and the rest of the channel's settings. */
interface CostValues {
  readonly setting: string
  /** Factor of list prices; empty where the channel has none. */
  readonly costFactor: string
  /** JSON of own prices and discounts. */
  readonly costPrices: string
}

const member = 'cost'

/** Takes the costs out of the settings; what is no object of costs stays in them, where it can be corrected. */
export const splitCost = (setting: string): CostValues => {
  const cost = readObject(setting)?.[member]
  if (!isObject(cost)) return { setting, costFactor: '', costPrices: '' }
  const { factor, ...prices } = cost
  return {
    setting: withMember(setting, member, undefined),
    costFactor: typeof factor === 'number' ? String(factor) : '',
    costPrices: Object.keys(prices).length === 0 ? '' : JSON.stringify(prices, null, 2),
  }
}

/** The settings with the costs; costs that were typed into the settings stay where the fields are empty. */
export const joinCost = ({ setting, costFactor, costPrices }: CostValues): string => {
  const prices = readObject(costPrices)
  const factor = costFactor.trim() === '' ? {} : { factor: Number(costFactor) }
  const cost = { ...factor, ...prices }
  if (Object.keys(cost).length === 0 || readObject(setting) === undefined) return setting
  return withMember(setting, member, cost)
}
