import type { Receipt } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import { cost, receiptOf, recompute } from '../../billing/cost.ts'
import { multiply, print } from '../../billing/decimal.ts'
import type { Decimal, Price } from '../../billing/price.ts'
import { noUsage, type Usage } from '../../billing/usage.ts'

type Line = Receipt['lines'][number]

/** Tokens of a call as its log has them, for calls whose receipt names none. */
export interface LoggedTokens {
  readonly prompt: number
  readonly completion: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly audioInput: number
  readonly audioOutput: number
}

const ratioOf: Readonly<Record<string, (price: Price) => Decimal>> = {
  cache_read: (price) => price.cacheRatio,
  cache_write: (price) => price.cacheWriteRatio,
  cache_write_1h: (price) => price.cacheWrite1hRatio,
  audio_input: (price) => price.audioRatio,
  output: (price) => price.completionRatio,
  audio_output: (price) => multiply(price.audioRatio, price.audioCompletionRatio),
}

/** What is not a kind of token keeps its own price. */
const repriced = (line: Line, price: Price): Line => {
  const ratio = ownMember(ratioOf, line.item)
  return ratio === undefined ? line : { ...line, price: print(ratio(price)) }
}

const toolsOf = ({ tools }: Receipt): Pick<Usage, 'tools'> =>
  tools === undefined ? {} : { tools: Object.fromEntries(tools.map(({ tool, quantity }) => [tool, quantity])) }

const tierOf = ({ tier }: Receipt): Pick<Usage, 'tier'> => (tier === undefined ? {} : { tier: tier.name })

/** What tools and a tier cost at another price, in the words of a receipt. */
const extrasAt = (receipt: Receipt, price: Price): Pick<Receipt, 'tools' | 'tier'> => {
  const { tools, tier } = receiptOf({ ...noUsage, ...toolsOf(receipt), ...tierOf(receipt) }, price, receipt)
  return { tools, tier }
}

const usageOf = (logged: LoggedTokens): Usage => ({
  ...noUsage,
  input: Math.max(0, logged.prompt - logged.cacheRead - logged.cacheWrite - logged.audioInput),
  cacheRead: logged.cacheRead,
  cacheWrite: logged.cacheWrite,
  audioInput: logged.audioInput,
  output: Math.max(0, logged.completion - logged.audioOutput),
  audioOutput: logged.audioOutput,
})

/**
 * What the call of a receipt costs at another price, in quota units. The same price gives the receipt's own charge. A call
 * billed by a fixed price has no tokens in its receipt; at a price by tokens those of its log count.
 */
export const reprice = (receipt: Receipt, price: Price, logged: LoggedTokens): number => {
  if (receipt.lines.length === 0 && receipt.tools === undefined) return 0
  const wasCall = receipt.mode === 'call'
  const common = {
    group_ratio: print(price.groupRatio),
    quota_per_unit: print(price.quotaPerUnit),
    ...extrasAt(receipt, price),
  }
  if (price.perCall !== undefined) {
    const one = receipt.lines.length === 0 ? [] : [{ item: 'call', quantity: 1, price: '1' }]
    const lines = wasCall ? receipt.lines : one
    return recompute({ ...receipt, ...common, mode: 'call', lines, model_price: print(price.perCall) })
  }
  if (wasCall) return cost({ ...usageOf(logged), ...toolsOf(receipt) }, price)
  const lines = receipt.lines.map((line) => repriced(line, price))
  return recompute({ ...receipt, ...common, lines, model_ratio: print(price.modelRatio) })
}
