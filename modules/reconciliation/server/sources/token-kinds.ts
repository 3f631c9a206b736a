import { multiply, roundHalfUp } from '#server/billing/decimal.ts'
import type { Decimal } from '#server/billing/price.ts'
import type { Figures } from '../report.ts'

/** A kind of token that a cloud meters on a line of its own. */
export type CloudTokenKind = 'input' | 'cacheRead' | 'cacheWrite' | 'output'

const none = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }

/** The tokens of a line that states one kind; the others are 0, since they have lines of their own. */
export const tokensOf = (
  kind: CloudTokenKind,
  count: number,
): Pick<Figures, 'input' | 'cacheRead' | 'cacheWrite' | 'output'> => ({ ...none, [kind]: count })

const unitSize = /^([\d.]+)?\s*(K|M)?\b/i
const sizes = new Map([
  ['', 1],
  ['K', 1_000],
  ['M', 1_000_000],
])

/** Tokens of one unit: `1K tokens` → 1000, `1M` → 1000000, `100` → 100; 1 for other texts. */
const tokensPerUnit = (unit: string): number => {
  const [, count = '1', size = ''] = unitSize.exec(unit.trim()) ?? []
  const tokens = Number(count) * (sizes.get(size.toUpperCase()) ?? 1)
  return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : 1
}

/** Whole tokens of a metered quantity. */
export const meteredTokens = (quantity: Decimal, unit: string): number =>
  roundHalfUp(multiply(quantity, { digits: BigInt(tokensPerUnit(unit)), scale: 0 }))
