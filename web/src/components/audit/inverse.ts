import { ownMember } from '@tollgate/contract/own-member'
import type { AuditEntry } from '../../lib/api/contract.ts'
import { hiddenValue } from './changes.ts'

/** A change that puts back the values from before an entry, each with the value that must still be there. */
export type Inverse =
  | { readonly kind: 'option'; readonly key: string; readonly value: string; readonly was: string }
  | {
      readonly kind: 'channel'
      readonly id: number
      readonly before: Readonly<Record<string, unknown>>
      readonly after: Readonly<Record<string, unknown>>
    }

/** Fields of a channel whose recorded values are whole, and that no other field depends on. */
const channelFields: ReadonlySet<string> = new Set([
  ...[
    'name',
    'status',
    'weight',
    'priority',
    'group',
    'models',
    'tag',
    'remark',
    'test_model',
    'auto_ban',
    'model_mapping',
  ],
])

const channelActions: ReadonlySet<string> = new Set([
  ...['channel.update', 'channel.enable', 'channel.disable', 'channel.auto_disable', 'channel.auto_enable'],
])

/** The text of a plain value, as options are written; undefined for lists and maps, of which entries hold parts alone. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined

const optionInverse = ({ object_id: key, before, after }: AuditEntry): Inverse | undefined => {
  const [value, was] = [textOf(ownMember(before, key)), textOf(ownMember(after, key))]
  if (value === undefined || was === undefined || value === hiddenValue) return undefined
  return Object.keys({ ...before, ...after }).length === 1 ? { kind: 'option', key, value, was } : undefined
}

/** The inverse of an entry; undefined where there is none, or where the entry does not hold all of it. */
export const inverseOf = (entry: AuditEntry): Inverse | undefined => {
  if (entry.action === 'option.update') return optionInverse(entry)
  const id = Number(entry.object_id)
  if (!channelActions.has(entry.action) || !Number.isSafeInteger(id) || id < 1) return undefined
  // Automatic changes note name and cause beside the state.
  const changed = Object.keys(entry.before)
  if (changed.length === 0 || !changed.every((field) => channelFields.has(field))) return undefined
  if (entry.action === 'channel.update' && Object.keys(entry.after).some((field) => !changed.includes(field)))
    return undefined
  const after = Object.fromEntries(changed.map((field) => [field, ownMember(entry.after, field)]))
  return { kind: 'channel', id, before: entry.before, after }
}
