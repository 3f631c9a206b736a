import { ownMember } from '@tollgate/contract/own-member'
import { compare, decimal, multiply } from '../decimal.ts'
import type { Decimal, Price, Rates } from '../price.ts'
import { declaredKey, type Reason, unknownItems } from './declarations.ts'
import { familyOf } from './families.ts'

interface Line {
  readonly item: string
  readonly quantity: number
  readonly price: Decimal
}

interface Marked<Each extends Line> {
  readonly lines: readonly Each[]
  readonly reasons: readonly Reason[]
}

const longWrite = 'cache_write_1h'
const twice = decimal(2)
const name = 'prompt_tokens_details.cache_creation.ephemeral_1h_input_tokens'

/**
 * Makers that sell cache writes of a longer lifetime and state their price on no page that could be read. They are charged at twice the
 * prompt, which is what other makers ask (`makers-cache.ts`), until a list states another price.
 */
const makers: ReadonlySet<string> = new Set(['alibaba'])

const isAssumed = ({ basis, model }: Price, { input, cache_write_1h: write }: Rates): boolean =>
  basis === 'dollars' && makers.has(familyOf(model)) && compare(write, multiply(input, twice)) === 0

/** The lines of an answer in which long writes at an assumed price are marked, or priced as an operator declared them; undefined without any. */
export const markedWrites = <Each extends Line>(
  lines: readonly Each[],
  price: Price,
  rates: Rates,
): Marked<Each> | undefined => {
  const found = lines.find(({ item }) => item === longWrite)
  if (found === undefined || !isAssumed(price, rates)) return undefined
  const { quantity } = found
  const reason: Reason = { kind: 'cache', place: 'openai', name, value: quantity, quantity }
  const declared = price.declared && ownMember(price.declared, declaredKey(reason))
  const others = lines.filter((line) => line !== found)
  if (declared?.as === 'informative') return { lines: others, reasons: [] }
  if (declared?.as !== 'piece') return { lines: [...others, { ...found, item: unknownItems.cache }], reasons: [reason] }
  const rate = rates[declared.piece]
  return {
    lines: rate === undefined ? others : [...others, { ...found, item: declared.piece, price: rate }],
    reasons: [],
  }
}
