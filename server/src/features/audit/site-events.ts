import { channelStatus, type SiteEvent, type SiteEventKind } from '@tollgate/contract'
import { type JsonObject, parseObject } from '@tollgate/contract/json'
import type { Selectable } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { AuditTable } from '../../db/schema.ts'

const mostEvents = 40
/** Entries of the audit log that are looked at: a busy site changes much that is no event. */
const mostEntries = 400
const longestDetail = 160

/** Options that are prices of models or groups. */
const priceOptions: ReadonlySet<string> = new Set([
  'ModelRatio',
  'CompletionRatio',
  'ModelPrice',
  'CacheRatio',
  'GroupRatio',
])

type Entry = Pick<
  Selectable<AuditTable>,
  'id' | 'created_at' | 'action' | 'object' | 'object_id' | 'before' | 'after' | 'actor_id' | 'actor_name'
>
const kindOfUpdate = (after: JsonObject): SiteEventKind | undefined => {
  if (after.status === channelStatus.enabled) return 'channel_enabled'
  if (after.status !== undefined) return 'channel_disabled'
  return after.models === undefined ? undefined : 'channel_models'
}

const kindOf = ({ action, object_id }: Entry, after: JsonObject): SiteEventKind | undefined => {
  switch (action) {
    case 'channel.auto_disable':
      return 'channel_auto_disabled'
    case 'channel.auto_enable':
      return 'channel_enabled'
    case 'channel.create':
      return 'channel_added'
    case 'channel.delete':
      return 'channel_removed'
    case 'channel.update':
      return kindOfUpdate(after)
    case 'price_list.apply':
    case 'price_list.undo':
      return 'prices'
    case 'option.update':
      return priceOptions.has(object_id) ? 'prices' : undefined
    case 'node.started':
      return 'node_started'
    default:
      return undefined
  }
}

const actions = [
  'channel.auto_disable',
  'channel.auto_enable',
  'channel.create',
  'channel.delete',
  'channel.update',
  'price_list.apply',
  'price_list.undo',
  'option.update',
  'node.started',
] as const

/** Fields that readers of figures see; of the audit log they may see no more. */
const shownFields = ['status', 'models', 'reason', 'version'] as const
const longestField = 4000

/** The shown fields of an entry; a field that is very long is left out on both sides, since half a list would show a change that was none. */
const shownOf = (before: JsonObject, after: JsonObject): Pick<SiteEvent['entry'], 'before' | 'after'> => {
  const isShort = (value: unknown): boolean => JSON.stringify(value ?? '').length <= longestField
  const names = shownFields.filter((name) => isShort(before[name]) && isShort(after[name]))
  const pick = (from: JsonObject) =>
    Object.fromEntries(names.filter((name) => Object.hasOwn(from, name)).map((name) => [name, from[name]]))
  return { before: pick(before), after: pick(after) }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Changes of channels and prices, and starts of nodes, in a time, from the audit log. Unix seconds, the end not included. */
export const createSiteEvents =
  (
    { query }: Pick<Database, 'query'>,
    channelNames: (ids: readonly number[]) => Promise<ReadonlyMap<number, string>>,
  ) =>
  async (from: number, to: number): Promise<SiteEvent[]> => {
    const entries = await query
      .selectFrom('audit')
      .select(['id', 'created_at', 'action', 'object', 'object_id', 'before', 'after', 'actor_id', 'actor_name'])
      .where('created_at', '>=', from)
      .where('created_at', '<', to)
      .where('action', 'in', [...actions])
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(mostEntries)
      .execute()
    const found = entries
      .flatMap((entry) => {
        const [before, after] = [parseObject(entry.before), parseObject(entry.after)]
        const kind = kindOf(entry, after)
        return kind === undefined ? [] : [{ entry, kind, before, after }]
      })
      .slice(0, mostEvents)
    const ids = found.flatMap(({ entry, kind }) =>
      kind === 'prices' || kind === 'node_started' ? [] : [Number(entry.object_id)],
    )
    const names = await channelNames([...new Set(ids)].filter(Number.isSafeInteger))
    return found.reverse().map(({ entry, kind, before, after }): SiteEvent => {
      const { actor_id, action, object, object_id } = entry
      const shown = { actor_id, action, object, object_id, ...shownOf(before, after) }
      const common = { id: entry.id, at: entry.created_at, kind, actor: entry.actor_name, entry: shown }
      if (kind === 'prices') return { ...common, name: entry.object_id, detail: '' }
      if (kind === 'node_started')
        return { ...common, name: entry.object_id, detail: textOf(after.version).slice(0, longestDetail) }
      const channel_id = Number(entry.object_id)
      const name = names.get(channel_id) ?? (textOf(after.name) || textOf(before.name))
      return { ...common, channel_id, name, detail: textOf(after.reason).slice(0, longestDetail) }
    })
  }
