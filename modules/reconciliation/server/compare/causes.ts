import type { DifferenceCause, NamedCause } from '@tollgate/contract'
import { compare, divide, multiply, print, zero } from '#server/billing/decimal.ts'
import type { Decimal } from '#server/billing/price.ts'
import { completionTokens, promptTokens } from '#server/billing/usage.ts'
import { isClose, isNear, magnitude, minus } from './amounts.ts'
import type { OwnSide, TheirSide } from './sides.ts'
import {
  reportedUsage,
  splitCause,
  statedUsage,
  statesTokens,
  type Volume,
  volumeOf,
  withoutCacheReads,
} from './volume.ts'

const cause = (name: DifferenceCause, amount: Decimal, more: Partial<NamedCause> = {}): NamedCause => ({
  cause: name,
  amount: print(amount),
  ...more,
})

const cent: Decimal = { digits: 1n, scale: 2 }
const whole = (count: number): Decimal => ({ digits: BigInt(count), scale: 0 })

const factorPlaces = 4
const factorOf = (dearer: Decimal, than: Decimal): string => print(divide(dearer, than, factorPlaces))

/** Why the same use costs another amount. */
const priceCauses = (
  listed: Decimal,
  paid: Decimal,
  { wholeCents, lines, figures }: TheirSide,
  noise: Decimal,
): NamedCause[] => {
  if (isNear(paid, listed, noise)) return []
  const rest = minus(paid, listed)
  const isRounded = wholeCents && compare(magnitude(rest), multiply(cent, whole(lines))) <= 0
  if (isRounded) return [cause('rounding', rest)]
  // A report of nothing but amounts may have other prices, or other calls.
  if (!statesTokens(figures) && figures.calls === null) return [cause('unexplained', rest)]
  return [cause('price_changed', rest, listed.digits === 0n ? {} : { factor: factorOf(paid, listed) })]
}

/** How far from the price without cache a report may be that does not say what it counts as cached. */
const cacheGuess: Decimal = { digits: 1n, scale: 1 }
/** How much of what missing calls cost may be guessed wrong: their size and cache are not known. */
const volumeGuess: Decimal = { digits: 25n, scale: 2 }

/** Attributes the rest to the missing calls if it is small beside them. */
const withGuess = (
  causes: readonly NamedCause[],
  from: Decimal,
  to: Decimal,
  paid: Decimal,
): NamedCause[] | undefined => {
  const [missing, ...others] = causes
  if (missing === undefined || others.length > 0 || !isClose(paid, [to, from], volumeGuess)) return undefined
  return [{ ...missing, amount: print(minus(paid, from)) }]
}

/** Compares what both sides have; the causes follow each other from our cost to theirs, so that they add up. */
const explain = (own: OwnSide, their: TheirSide, volume: Volume): readonly NamedCause[] => {
  const { figures } = their
  const split = splitCause(figures, volume)
  const counted = volume.calls === undefined ? {} : { calls: volume.calls }
  const atVolume = volume.cause === undefined ? own.cost : own.priceOf(volume.usage)
  const isStated = volume.cause !== undefined || split !== undefined
  const asStated = isStated ? own.priceOf(statedUsage(figures, volume.usage)) : own.cost
  if (own.cost === undefined || atVolume === undefined || asStated === undefined) {
    const seen = [volume.cause, split].filter((name) => name !== undefined)
    return [...seen.map((name) => cause(name, zero, name === volume.cause ? counted : {})), cause('no_price', zero)]
  }
  const causes: NamedCause[] = []
  // Calls that one side lacks may be cached more or less than the others.
  const afterVolume = split === undefined ? asStated : atVolume
  if (volume.cause !== undefined) causes.push(cause(volume.cause, minus(afterVolume, own.cost), counted))
  const paid = figures.cost
  if (split !== undefined) {
    // A report may state no cache and charge by it all the same.
    if (paid !== null && isNear(paid, afterVolume, own.noise)) return causes
    causes.push(cause(split, minus(asStated, atVolume)))
    return paid === null ? causes : [...causes, ...priceCauses(asStated, paid, their, own.noise)]
  }
  if (paid === null || isNear(paid, afterVolume, own.noise)) return causes
  const plain = figures.cacheRead === null ? own.priceOf(withoutCacheReads(volume.usage)) : undefined
  if (plain !== undefined && !isNear(plain, afterVolume) && isClose(paid, [plain, afterVolume], cacheGuess)) {
    return [...causes, cause('cache_ignored', minus(plain, afterVolume)), ...priceCauses(plain, paid, their, own.noise)]
  }
  const guessed = figures.cacheRead === null ? withGuess(causes, own.cost, afterVolume, paid) : undefined
  return guessed ?? [...causes, ...priceCauses(afterVolume, paid, their, own.noise)]
}

/**
 * Names why a report differs from the log. The amounts are parts of the difference in dollars, report minus log: first other
 * calls, then what counts as cached, then prices. Empty where the two agree.
 */
export const findCauses = (own: OwnSide, their: TheirSide): readonly NamedCause[] => {
  const { figures } = their
  if (their.lines === 0) return [cause('missing_there', minus(zero, own.cost ?? zero), { calls: own.calls })]
  if (their.models.every((model) => model === '')) return [cause('other_charges', figures.cost ?? zero)]
  if (own.calls === 0 && promptTokens(own.usage) + completionTokens(own.usage) === 0) {
    const paid = figures.cost ?? own.priceOf(reportedUsage(figures)) ?? zero
    return [cause('missing_here', paid, figures.calls === null ? {} : { calls: figures.calls })]
  }
  return explain(own, their, volumeOf(own, figures))
}
