import type { FigureDimension } from '@tollgate/contract'
import type { FigureFilter } from '../figures/dimensions.ts'
import { type CellSums, type ChangeCell, noCellSums, plusSums } from './cells.ts'
import type { ChangeEntry, ExplainedChange } from './change.ts'
import type { ChangeEffect } from './effects.ts'

/** Cells that a term is about; empty for all of them. */
export interface TermScope {
  readonly user?: number
  readonly key?: number
  readonly keyName?: string
  readonly model?: string
}

/** A part of a term by one value of a dimension; `key` is empty for the others together. */
export interface TermRow {
  readonly key: string
  readonly name: string
  /** Owner of a key, which tells its row from those of others. */
  readonly user: number
  /** Quota units of one period. */
  readonly amount: number
}

/** A part of a change with one cause. */
export interface ChangeTerm {
  /** `other` for several small ones. */
  readonly effect: ChangeEffect | 'other'
  /** Quota units of one period. All terms add up to the difference. */
  readonly amount: number
  /** Number of callers or models that it is about. */
  readonly count: number
  readonly scope: TermScope
  readonly now: CellSums
  /** Of all reference periods together. */
  readonly before: CellSums
  /** Dimension of the rows; undefined where they are effects. */
  readonly by: FigureDimension | undefined
  /** Largest first; they add up to the amount. */
  readonly rows: readonly TermRow[]
}

/** Terms with names of their own, terms in all, and rows of a term. */
const mostNamed = 4
const mostTerms = 6
const mostRows = 8
/** Smaller terms than this share of the largest one are not worth a line. */
const leastShare = 0.03

/** Effects that are told by caller; the others by model. */
const byCaller: ReadonlySet<ChangeEffect> = new Set(['calls', 'mix', 'input', 'output', 'group', 'corrections'])

/** The cell that stands for all that were not read one by one. */
const isNameless = ({ user, model }: ChangeCell): boolean => user === 0 && model === ''

const scopeOf = ({ effect, cell }: ChangeEntry): TermScope => {
  if (isNameless(cell)) return {}
  return byCaller.has(effect) ? { user: cell.user, key: cell.key, keyName: cell.keyName } : { model: cell.model }
}

const placeOf = (entry: ChangeEntry): string => {
  const { user, key, model } = scopeOf(entry)
  return JSON.stringify([entry.effect, user ?? 0, key ?? 0, model ?? '', isNameless(entry.cell)])
}

const sumOf = (entries: readonly { readonly amount: number }[]): number =>
  entries.reduce((sum, { amount }) => sum + amount, 0)

const isWithin = ({ user, key, model }: TermScope, cell: ChangeCell): boolean =>
  (user === undefined || (cell.user === user && cell.key === key)) && (model === undefined || cell.model === model)

/** Conditions for the figures of a term's cells. */
export const filtersOfScope = ({ user, key, model }: TermScope): readonly FigureFilter[] => [
  ...(user === undefined ? [] : [{ dimension: 'user', is: 'is', values: [String(user)] } as const]),
  ...(key === undefined ? [] : [{ dimension: 'key', is: 'is', values: [String(key)] } as const]),
  ...(model === undefined ? [] : [{ dimension: 'model', is: 'is', values: [model] } as const]),
]

interface RowKey {
  readonly by: FigureDimension | undefined
  of(entry: ChangeEntry): Omit<TermRow, 'amount'>
}

const models: RowKey = { by: 'model', of: ({ cell }) => ({ key: cell.model, name: cell.model, user: 0 }) }
const keys: RowKey = {
  by: 'key',
  of: ({ cell }) => ({ key: isNameless(cell) ? '' : String(cell.key), name: cell.keyName, user: cell.user }),
}
const channels: RowKey = {
  by: 'channel',
  of: ({ cell }) => ({ key: isNameless(cell) ? '' : String(cell.channel), name: '', user: 0 }),
}
const effects: RowKey = { by: undefined, of: ({ effect }) => ({ key: effect, name: '', user: 0 }) }

const by =
  (size: (one: { readonly amount: number }) => number) =>
  (left: { readonly amount: number }, right: { readonly amount: number }): number =>
    size(right) - size(left)
const largestFirst = by(({ amount }) => Math.abs(amount))

const rowsOf = (entries: readonly ChangeEntry[], { of }: RowKey): readonly TermRow[] => {
  const groups = Map.groupBy(entries, (entry) => {
    const { key, user } = of(entry)
    return JSON.stringify([key, key === '' ? 0 : user])
  })
  const all = [...groups.values()].flatMap((group): TermRow[] => {
    const [first] = group
    return first === undefined ? [] : [{ ...of(first), amount: sumOf(group) }]
  })
  const named = all.filter(({ key, amount }) => key !== '' && amount !== 0).sort(largestFirst)
  const rest = sumOf([...all.filter(({ key }) => key === ''), ...named.slice(mostRows)])
  const shown = named.slice(0, mostRows)
  return rest === 0 ? shown : [...shown, { key: '', name: '', user: 0, amount: rest }]
}

interface Asked {
  /** True where channels are told apart. */
  readonly channels: boolean
}

/** Rows by what else the effect depends on. */
const rowKeyOf = (effect: ChangeEffect, scope: TermScope, asked: Asked): RowKey => {
  if (scope.user !== undefined) return models
  if (scope.model !== undefined) return asked.channels ? channels : keys
  return byCaller.has(effect) ? keys : models
}

const sumsOf = (cells: readonly ChangeCell[]): Pick<ChangeTerm, 'now' | 'before'> =>
  cells.reduce(({ now, before }, cell) => ({ now: plusSums(now, cell.now), before: plusSums(before, cell.before) }), {
    now: noCellSums,
    before: noCellSums,
  })

/**
 * The terms of a change, largest first: by caller or model where one matters, else by effect, and small ones as `other`, which is
 * last. They add up to the difference, and so do the rows of each to the term.
 */
export const termsOf = (
  { entries }: Pick<ExplainedChange, 'entries'>,
  cells: readonly ChangeCell[],
  asked: Asked,
): readonly ChangeTerm[] => {
  const candidates = [...Map.groupBy(entries, placeOf).values()]
    .map((group) => ({ group, amount: sumOf(group) }))
    .sort(largestFirst)
  const least = Math.abs(candidates[0]?.amount ?? 0) * leastShare
  const isNamed = ({ group: [first], amount }: (typeof candidates)[number], index: number): boolean =>
    index < mostNamed && Math.abs(amount) >= least && first !== undefined && !isNameless(first.cell)
  const named = candidates.filter(isNamed)
  const unnamed = candidates.filter((candidate, index) => !isNamed(candidate, index))
  const together = [...Map.groupBy(unnamed, ({ group }) => group[0]?.effect ?? 'calls').values()]
    .map((some) => ({
      group: some.flatMap(({ group }) => group),
      amount: sumOf(some),
      count: some.length,
    }))
    .sort(largestFirst)
  const room = mostTerms - 1 - named.length
  const lines = together.filter(({ amount }, index) => index < room && Math.abs(amount) >= least && amount !== 0)
  const small = together.filter((some) => !lines.includes(some))
  const whole = sumsOf(cells)
  const termOf = (
    group: readonly ChangeEntry[],
    { scope, count, rowKey }: { scope: TermScope; count: number; rowKey: RowKey },
  ): ChangeTerm => ({
    effect: group[0]?.effect ?? 'other',
    amount: sumOf(group),
    count,
    scope,
    ...(scope.user === undefined && scope.model === undefined
      ? whole
      : sumsOf(cells.filter((cell) => isWithin(scope, cell)))),
    by: rowKey.by,
    rows: rowsOf(group, rowKey),
  })
  const ofOne = ({ group }: { readonly group: readonly ChangeEntry[] }): ChangeTerm[] => {
    const [first] = group
    if (first === undefined) return []
    const scope = scopeOf(first)
    return [termOf(group, { scope, count: 1, rowKey: rowKeyOf(first.effect, scope, asked) })]
  }
  const ofMany = ({ group, count }: (typeof together)[number]): ChangeTerm[] => {
    if (count === 1) return ofOne({ group })
    const [first] = group
    return first === undefined ? [] : [termOf(group, { scope: {}, count, rowKey: rowKeyOf(first.effect, {}, asked) })]
  }
  const terms = [...named.flatMap(ofOne), ...lines.flatMap(ofMany)].sort(largestFirst)
  const rest = small.flatMap(({ group }) => group)
  if (sumOf(rest) === 0) return terms
  const [single] = small
  if (single !== undefined && small.length === 1) return [...terms, ...ofMany(single)]
  const count = small.reduce((sum, one) => sum + one.count, 0)
  return [...terms, { ...termOf(rest, { scope: {}, count, rowKey: effects }), effect: 'other' }]
}
