import { type CellSums, type ChangeCell, noCellSums, plusSums, type Weights } from './cells.ts'
import { type ChangeEffect, effectParts } from './effects.ts'
import { apportion, rounded } from './largest-remainder.ts'

/** The part of a change that one factor has in one cell, in whole quota units. */
export interface ChangeEntry {
  readonly effect: ChangeEffect
  readonly cell: ChangeCell
  readonly amount: number
}

/** A change of charges, in whole quota units. */
export interface ExplainedChange {
  readonly now: CellSums
  /** Of all reference periods together. */
  readonly before: CellSums
  /** Mean charges of a reference period, rounded to the nearest unit. */
  readonly usual: number
  /** Charges of the period less `usual`: the sum of the entries. */
  readonly difference: number
  readonly entries: readonly ChangeEntry[]
}

const sumOf = (cells: readonly ChangeCell[], period: 'now' | 'before'): CellSums =>
  cells.reduce((sum, cell) => plusSums(sum, cell[period]), noCellSums)

/**
 * Explains the difference between the charges of a period and the mean of `periods` others. Everything is computed in fractions and
 * rounded once, by largest remainder, so that the entries add up to the difference to the unit.
 */
export const changeOf = (
  cells: readonly ChangeCell[],
  periods: number,
  weightsOf: (model: string) => Weights,
): ExplainedChange => {
  const [now, before] = [sumOf(cells, 'now'), sumOf(cells, 'before')]
  const usual = Number(rounded({ numerator: BigInt(before.quota), denominator: BigInt(periods) }))
  const difference = now.quota - usual
  const parts = effectParts(cells, periods, weightsOf)
  const amounts = apportion(
    parts.map(({ amount }) => amount),
    BigInt(difference),
  )
  const entries = parts.flatMap(({ effect, cell }, index) => {
    const amount = Number(amounts[index] ?? 0n)
    return amount === 0 ? [] : [{ effect, cell, amount }]
  })
  return { now, before, usual, difference, entries }
}
