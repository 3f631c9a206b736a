import type { PriceSource } from '../../billing/book/list-book.ts'
import { type ListedModel, listedModel } from '../../billing/book/stored-price.ts'
import { type BookState, type OverlaidModel, priceKey, unlisted } from '../../billing/book/versioned-book.ts'
import type { Change, VersionRow } from './store.ts'

/** Name of a version's prices in receipts. */
export const versionName = ({ id, kind }: Pick<VersionRow, 'id' | 'kind'>): string => `${kind} ${id}`

/** A version with what is needed to compute the prices after it. */
export interface AppliedVersion {
  readonly row: VersionRow
  readonly changes: readonly Change[]
  /** The lists that it brings. */
  readonly lists: PriceSource | undefined
}

export interface VersionState extends BookState {
  readonly version: number
  /** The row of `price_lists` that counts. */
  readonly listId: number
}

const placed = (change: Change, { row }: AppliedVersion): OverlaidModel => {
  // A restored or retained price has its earlier name.
  const price = change.decision === 'keep' ? change.before : change.after
  if (price === undefined) return unlisted(change.provider, change.model)
  const named: ListedModel = listedModel(
    price,
    row.kind === 'sync' ? versionName(row) : (price.version ?? versionName(row)),
  )
  return { ...named, provider: change.provider, id: change.model }
}

const overlayAfter = (
  overlay: ReadonlyMap<string, OverlaidModel>,
  version: AppliedVersion,
): ReadonlyMap<string, OverlaidModel> => {
  const { kind } = version.row
  const next = new Map(overlay)
  for (const change of version.changes) {
    const key = priceKey(change.provider, change.model)
    const isDropped = change.decision === 'drop' || (kind === 'shipped' && change.decision === 'apply')
    const isPlaced = kind === 'shipped' ? change.decision === 'keep' : change.decision === 'apply'
    if (isDropped) next.delete(key)
    else if (isPlaced) next.set(key, placed(change, version))
  }
  return next
}

/** The prices after one more version. */
export const stateAfter = (last: VersionState, version: AppliedVersion): VersionState => ({
  version: version.row.id,
  from: version.row.effective_from * 1000,
  listId: version.lists === undefined ? last.listId : version.row.list_id,
  lists: version.lists ?? last.lists,
  overlay: overlayAfter(last.overlay, version),
})

/** The prices after each version, in the order in which they begin; `base` counts before the first. */
export const statesOf = (base: PriceSource, versions: readonly AppliedVersion[]): VersionState[] => {
  const states: VersionState[] = []
  let last: VersionState = { version: 0, from: 0, listId: 0, lists: base, overlay: new Map() }
  for (const version of versions) {
    last = stateAfter(last, version)
    states.push(last)
  }
  return states.length === 0 ? [last] : states
}
