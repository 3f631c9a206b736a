import { defined, type JsonObject, membersOf, numberIn, textIn } from '../conversation/json.ts'

/** Cost and receipt in a usage object; empty for nearly all. */
export const gatewayCostIn = (usage: unknown): JsonObject => {
  const { cost, receipt } = membersOf(usage)
  return defined({ cost: numberIn(cost), receipt: textIn(receipt) })
}

/** The same as a member of an answer that has no place for a usage. */
export const costIn = (name: string, usage: unknown): JsonObject => {
  const found = gatewayCostIn(usage)
  return found.cost === undefined ? {} : { [name]: found }
}
