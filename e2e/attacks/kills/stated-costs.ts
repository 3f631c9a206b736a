import { dollarsOf } from '../../../server/src/billing/amounts/dollars.ts'
import type { Finished } from './load.ts'

/** Costs that answers stated, compared with the movements of the ledger. */
export interface StatedSummary {
  /** Calls that asked, and whose answer stated its cost. */
  readonly stated: number
  /** Quota units that these state, in sum. */
  readonly statedUnits: number
  /** Charges of calls that asked and broke off before that, and their quota units. */
  readonly unstated: number
  readonly unstatedUnits: number
}

const unitsPerDollar = '500000'

/**
 * Each cost that an answer stated is the charge under the receipt that it names, to the unit; every whole answer to a call that asked
 * states one, and none that did not ask. What else was charged to calls that asked broke off. `charges` are quota units by request.
 */
export const judgeStated = (
  finished: readonly Finished[],
  charges: ReadonlyMap<string, number>,
  requestOf: (call: Finished) => string,
  problems: string[],
): StatedSummary => {
  const receipts = new Set<string>()
  let [stated, statedUnits, unstated, unstatedUnits] = [0, 0, 0, 0]
  for (const call of finished) {
    const { mark, kind, outcome, asksCost } = call
    const { dollars, receipt } = outcome.stated ?? {}
    const name = `${kind.name} (${mark})`
    const request = requestOf(call)
    if (dollars === undefined) {
      if (asksCost && outcome.kind === 'complete') problems.push(`${name} was answered whole and states no cost`)
      const units = charges.get(request)
      if (!asksCost || units === undefined) continue
      unstated += 1
      unstatedUnits += units
      continue
    }
    if (!asksCost) problems.push(`${name} did not ask and states a cost`)
    const id = receipt ?? request
    if (receipts.has(id)) problems.push(`${name} has the receipt ${id} of another call`)
    receipts.add(id)
    if (request !== '' && request !== id) problems.push(`${name} is the request ${request} and has the receipt ${id}`)
    const units = charges.get(id)
    const charged = units === undefined ? 'nothing' : dollarsOf({ quota: units, quota_per_unit: unitsPerDollar })
    if (charged !== dollars) problems.push(`${name} states ${dollars}, and ${charged} was charged under ${id}`)
    stated += 1
    statedUnits += Math.round(Number(dollars) * Number(unitsPerDollar))
  }
  return { stated, statedUnits, unstated, unstatedUnits }
}
