import type { UsageDialect } from './meanings.ts'
import type { UnknownFigure } from './unknown-members.ts'

const totals: ReadonlySet<string> = new Set(['totalTokenCount', 'totalTokens'])

/** True for a figure of the total, which only the last of several reports has: a later report that adds up replaces it. */
const isOfTotal = ({ kind, name }: UnknownFigure): boolean => kind === 'usage' && totals.has(name)

/** The figures without those of the total; undefined where none remain. */
export const withoutTotal = (figures: readonly UnknownFigure[] | undefined): readonly UnknownFigure[] | undefined => {
  if (figures === undefined || !figures.some(isOfTotal)) return figures
  const others = figures.filter((figure) => !isOfTotal(figure))
  return others.length === 0 ? undefined : others
}

/**
 * The undeclared figures of a report with the tokens of its total that no other member of it explains. `name` is the member of the total,
 * `total` what it states, `parts` the tokens that were read beside it.
 */
export const withUnexplained = (
  unknown: readonly UnknownFigure[] | undefined,
  {
    dialect,
    name,
    total,
    parts,
  }: { readonly dialect: UsageDialect; readonly name: string; readonly total: number; readonly parts: number },
): readonly UnknownFigure[] | undefined => {
  // A total alone explains nothing, so the call is counted.
  if (parts === 0) return unknown
  // Undeclared members most likely explain the difference; they are charged by themselves.
  const marked = (unknown ?? []).reduce((sum, { kind, count }) => (kind === 'usage' ? sum + count : sum), 0)
  const rest = total - parts - marked
  if (rest <= 0) return unknown
  return [...(unknown ?? []), { kind: 'usage', dialect, name, value: rest, count: rest }]
}
