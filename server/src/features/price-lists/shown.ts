import type { ListPriceChange, PriceVersion } from '@tollgate/contract'
import { type PriceSource, resolveName } from '../../billing/book/list-book.ts'
import { priceKey } from '../../billing/book/versioned-book.ts'
import { versionName } from './states.ts'
import type { ChangeRow, VersionRow } from './store.ts'

type Status = PriceVersion['status']
type Kind = PriceVersion['kind']

const kinds: ReadonlyMap<string, Kind> = new Map([
  ['shipped', 'shipped'],
  ['sync', 'sync'],
  ['undo', 'undo'],
])
const statuses: ReadonlyMap<string, Status> = new Map([
  ['proposed', 'proposed'],
  ['applied', 'applied'],
  ['undone', 'undone'],
  ['discarded', 'discarded'],
])

/** A version as the console shows it; `now` is unix seconds. */
export const shownVersion = (
  row: VersionRow,
  { changes, held }: { changes: number; held: number },
  now: number,
): PriceVersion => {
  const status = statuses.get(row.status) ?? 'discarded'
  return {
    id: row.id,
    name: row.kind === 'shipped' ? row.source : versionName(row),
    created_at: row.created_at,
    decided_at: row.decided_at,
    effective_from: row.effective_from,
    kind: kinds.get(row.kind) ?? 'sync',
    source: row.source,
    status: status === 'applied' && row.effective_from > now ? 'scheduled' : status,
    undoes: row.undoes,
    actor_name: row.actor_name,
    changes,
    held,
  }
}

/** Served names by the models of the lists that they mean. */
export const servedByKey = (source: PriceSource, names: readonly string[]): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>()
  for (const name of names) {
    const resolved = resolveName(source, name)
    const keys = new Set([priceKey('', name)])
    if (resolved !== undefined) {
      keys.add(priceKey(resolved.model.provider, resolved.model.id))
      keys.add(priceKey(resolved.model.provider, resolved.named.id))
    }
    for (const key of keys) found.set(key, [...(found.get(key) ?? []), name])
  }
  return found
}

/** A change as the console shows it. */
export const shownChange = (change: ChangeRow, served: ReadonlyMap<string, readonly string[]>): ListPriceChange => {
  const { id, provider, model, before, after, doubts, decision } = change
  const bare = model.slice(model.lastIndexOf('/') + 1)
  const names =
    served.get(priceKey(provider, model)) ?? (before === undefined ? served.get(priceKey('', bare)) : undefined)
  return {
    id,
    provider,
    model,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    doubts: [...doubts],
    ...(decision === undefined ? {} : { decision: decision === 'keep' ? 'keep' : 'apply' }),
    served: [...(names ?? [])],
  }
}
