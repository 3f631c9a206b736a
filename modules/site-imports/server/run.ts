import type { ImportKind, ImportProduct, ImportSum, SiteImportReport } from '@tollgate/contract'
import { importKinds } from '@tollgate/contract'
import type { NoteBook } from './notes.ts'
import type { ImportTarget } from './ports.ts'
import type { RowMap } from './row-map.ts'

/** State of an import; every writer adds to it. */
export interface ImportRun {
  readonly target: ImportTarget
  readonly site: string
  readonly product: ImportProduct
  readonly dryRun: boolean
  readonly notes: NoteBook
  readonly map: RowMap
  count(kind: ImportKind, counts: { found?: number; carried?: number; known?: number }): void
  add(sum: ImportSum, amount: number): void
  /** Groups that the source's options bring. */
  newGroups(): ReadonlySet<string>
  bringsGroups(groups: readonly string[]): void
  counts(): SiteImportReport['counts']
  sums(): ReadonlyMap<ImportSum, number>
}

export const createRun = (
  parts: Pick<ImportRun, 'target' | 'site' | 'product' | 'dryRun' | 'notes' | 'map'>,
): ImportRun => {
  const counts = new Map<ImportKind, { found: number; carried: number; known: number }>()
  const sums = new Map<ImportSum, number>()
  const groups = new Set<string>()
  return {
    ...parts,
    count(kind, { found = 0, carried = 0, known = 0 }) {
      const before = counts.get(kind) ?? { found: 0, carried: 0, known: 0 }
      counts.set(kind, {
        found: before.found + found,
        carried: before.carried + carried,
        known: before.known + known,
      })
    },
    add(sum, amount) {
      sums.set(sum, (sums.get(sum) ?? 0) + amount)
    },
    newGroups: () => groups,
    bringsGroups(names) {
      for (const name of names) groups.add(name)
    },
    counts: () =>
      importKinds.flatMap((kind) => {
        const found = counts.get(kind)
        if (found === undefined) return []
        return [{ kind, ...found, left: Math.max(0, found.found - found.carried - found.known) }]
      }),
    sums: () => sums,
  }
}
