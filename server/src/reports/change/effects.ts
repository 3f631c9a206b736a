import { type CellSums, type ChangeCell, noCellSums, plusSums, type Weights } from './cells.ts'
import type { Fraction } from './largest-remainder.ts'

/** Factors of a charge in the order in which they are exchanged, and what is no factor of it. */
export const changeEffects = ['calls', 'mix', 'input', 'output', 'cache', 'group', 'price', 'corrections'] as const
export type ChangeEffect = (typeof changeEffects)[number]

/** The part of a change that one factor has in one cell, in quota units of one period. */
export interface EffectPart {
  readonly effect: ChangeEffect
  readonly cell: ChangeCell
  readonly amount: Fraction
}

/** Sums as exact whole numbers. */
interface Exact {
  readonly calls: bigint
  readonly quota: bigint
  readonly prompt: bigint
  readonly output: bigint
  /** Worth of the prompt, and of everything. */
  readonly promptWorth: bigint
  readonly worth: bigint
}

const whole = (value: number): bigint => BigInt(Math.round(value))

const exact = (sums: CellSums, { call, prompt, cached, written, output }: Weights): Exact => {
  const calls = whole(sums.calls)
  const tokens = whole(sums.prompt)
  const answered = whole(sums.output)
  const ofCache = (cached - prompt) * whole(sums.cached) + (written - prompt) * whole(sums.written)
  const promptWorth = prompt * tokens + ofCache
  return {
    calls,
    quota: whole(sums.quota),
    prompt: tokens,
    output: answered,
    promptWorth,
    worth: call * calls + promptWorth + output * answered,
  }
}

/** For models that are priced by the call, and where tokens do not explain the charges. */
export const perCallWeights: Weights = { call: 1n, prompt: 0n, cached: 0n, written: 0n, output: 0n }

const fraction = (numerator: bigint, denominator: bigint): Fraction => ({ numerator, denominator })

const sumOf = (cells: readonly ChangeCell[], period: 'now' | 'before'): CellSums =>
  cells.reduce((sum, cell) => plusSums(sum, cell[period]), noCellSums)

/** The cells of one caller and model that was called in both periods, and their sums. */
interface Comparison {
  readonly cells: readonly ChangeCell[]
  readonly weights: Weights
  readonly now: Exact
  readonly before: Exact
}

/** One part for each cell. */
const spread = (effect: ChangeEffect, cells: readonly ChangeCell[], amount: (cell: ChangeCell) => Fraction) =>
  cells.map((cell): EffectPart => ({ effect, cell, amount: amount(cell) }))

/**
 * One part for each cell: its deviation from the earlier mean of all cells, less the deviation that it had before, scaled to as many
 * calls. Deviations of all cells before add up to nothing, so that the sum stays; cells that go on as they were have no part.
 */
const spreadDeviation = (
  effect: ChangeEffect,
  cells: readonly ChangeCell[],
  {
    comparison: { weights, now, before },
    deviation,
    denominator,
  }: { comparison: Comparison; deviation: (sums: Exact) => bigint; denominator: bigint },
): EffectPart[] =>
  spread(effect, cells, (cell) => {
    const present = deviation(exact(cell.now, weights)) * before.calls
    const earlier = deviation(exact(cell.before, weights)) * now.calls
    return { numerator: present - earlier, denominator: denominator * before.calls }
  })

/** Parts by price: `group` for calls that moved to groups with other prices, `price` within a group. */
const priceParts = (comparison: Comparison): EffectPart[] => {
  const { cells, weights, before } = comparison
  return [...Map.groupBy(cells, ({ group }) => group).values()].flatMap((ofGroup) => {
    const { calls, quota, worth } = exact(sumOf(ofGroup, 'before'), weights)
    if (worth <= 0n || calls <= 0n) {
      const deviation = (sums: Exact): bigint => sums.quota * before.worth - sums.worth * before.quota
      return spreadDeviation('group', ofGroup, { comparison, deviation, denominator: before.worth })
    }
    const dearer = quota * before.worth - before.quota * worth
    return [
      ...spreadDeviation('group', ofGroup, {
        comparison,
        deviation: (sums) => sums.worth * dearer,
        denominator: worth * before.worth,
      }),
      ...spreadDeviation('price', ofGroup, {
        comparison,
        deviation: (sums) => sums.quota * worth - sums.worth * quota,
        denominator: worth,
      }),
    ]
  })
}

/** Parts by tokens per call, cache share, price and group. */
const tokenParts = (comparison: Comparison): EffectPart[] => {
  const { cells, weights, before } = comparison
  const { calls, quota, worth, prompt, promptWorth } = before
  const parts = spreadDeviation('output', cells, {
    comparison,
    deviation: (sums) => quota * weights.output * (sums.output * calls - sums.calls * before.output),
    denominator: worth * calls,
  })
  if (prompt <= 0n) {
    const deviation = (sums: Exact): bigint => quota * (sums.promptWorth * calls - sums.calls * promptWorth)
    parts.push(...spreadDeviation('input', cells, { comparison, deviation, denominator: worth * calls }))
    return [...parts, ...priceParts(comparison)]
  }
  parts.push(
    ...spreadDeviation('input', cells, {
      comparison,
      deviation: (sums) => quota * (sums.prompt * calls - sums.calls * prompt) * promptWorth,
      denominator: worth * calls * prompt,
    }),
    ...spreadDeviation('cache', cells, {
      comparison,
      deviation: (sums) => quota * (sums.promptWorth * prompt - sums.prompt * promptWorth),
      denominator: worth * prompt,
    }),
  )
  return [...parts, ...priceParts(comparison)]
}

const isCalled = (sums: CellSums): boolean => Math.round(sums.calls) > 0

interface Caller {
  readonly now: bigint
  readonly before: bigint
  readonly periods: bigint
}

/** Parts of one model of a caller with this number of calls in all. */
const modelParts = (
  cells: readonly ChangeCell[],
  { now: callsNow, before: callsBefore, periods }: Caller,
  weightsOf: (model: string) => Weights,
): EffectPart[] => {
  const [now, before] = [sumOf(cells, 'now'), sumOf(cells, 'before')]
  const isNow = isCalled(now)
  const wasBefore = isCalled(before)
  const corrections = spread('corrections', cells, (cell) =>
    fraction((isNow ? 0n : whole(cell.now.quota) * periods) - (wasBefore ? 0n : whole(cell.before.quota)), periods),
  )
  if (!isNow && !wasBefore) return corrections
  if (!wasBefore) {
    // A new model of a caller is a shift among models; a new caller makes new calls.
    const effect = callsBefore > 0n ? 'mix' : 'calls'
    return [...corrections, ...spread(effect, cells, (cell) => fraction(whole(cell.now.quota), 1n))]
  }
  const calls = spread('calls', cells, (cell) =>
    fraction((callsNow * periods - callsBefore) * whole(cell.before.quota), periods * callsBefore),
  )
  if (!isNow) {
    const gone = spread('mix', cells, (cell) => fraction(-callsNow * whole(cell.before.quota), callsBefore))
    return [...corrections, ...calls, ...gone]
  }
  const asked = weightsOf(cells[0]?.model ?? '')
  const weights = exact(before, asked).worth > 0n ? asked : perCallWeights
  const comparison: Comparison = { cells, weights, now: exact(now, weights), before: exact(before, weights) }
  return [...corrections, ...calls, ...mixParts(comparison, { callsNow, callsBefore }), ...tokenParts(comparison)]
}

/** Parts by the share that the model has in the calls of its caller. */
const mixParts = (
  { cells, now, before }: Comparison,
  { callsNow, callsBefore }: { callsNow: bigint; callsBefore: bigint },
): EffectPart[] =>
  spread('mix', cells, (cell) => {
    const { calls, quota } = before
    const atOldPrice = whole(cell.now.calls) * quota * calls - now.calls * whole(cell.before.calls) * quota
    const followed = now.calls * whole(cell.before.quota) * calls
    const expected = callsNow * whole(cell.before.quota) * calls * calls
    return fraction((atOldPrice + followed) * callsBefore - expected, callsBefore * calls * calls)
  })

/**
 * The exact parts of the difference between a period and the mean of `periods` others, for each factor and cell. Their sum is the
 * difference of the charges. Factors are exchanged in the order of `changeEffects`: each at the present values of those before it and
 * the earlier values of those behind it. `price` holds what no other factor explains.
 */
export const effectParts = (
  cells: readonly ChangeCell[],
  periods: number,
  weightsOf: (model: string) => Weights,
): readonly EffectPart[] =>
  [...Map.groupBy(cells, ({ user, key }) => `${user} ${key}`).values()]
    .flatMap((ofCaller) => {
      const models = [...Map.groupBy(ofCaller, ({ model }) => model).values()]
      const callsOf = (period: 'now' | 'before'): bigint =>
        models.reduce((sum, ofModel) => {
          const { calls } = sumOf(ofModel, period)
          return sum + (calls > 0 ? whole(calls) : 0n)
        }, 0n)
      const caller: Caller = { now: callsOf('now'), before: callsOf('before'), periods: whole(periods) }
      return models.flatMap((ofModel) => modelParts(ofModel, caller, weightsOf))
    })
    .filter(({ amount }) => amount.numerator !== 0n)
