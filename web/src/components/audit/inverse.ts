import { ownMember } from '@tollgate/contract/own-member'
import type { AuditEntry } from '../../lib/api/contract.ts'
import { hiddenValue } from './changes.ts'

/** A change that puts back the values from before an entry, each with the value that must still be there. */
export type Inverse =
  | { readonly kind: 'option'; readonly key: string; readonly value: string; readonly was: string }
  | {
      readonly kind: 'channel' | 'user' | 'token' | 'limit'
      readonly id: number
      readonly before: Readonly<Record<string, unknown>>
      readonly after: Readonly<Record<string, unknown>>
      /** The user whose key it is; undefined for other objects. */
      readonly owner?: number | undefined
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

/** Fields of a key, without those that no other field may put back. */
const tokenFields: ReadonlySet<string> = new Set([
  ...['name', 'status', 'group', 'model_limits', 'model_limits_enabled', 'allow_ips'],
  ...['expired_time', 'unlimited_quota', 'remain_quota', 'include_cost', 'deadline_only'],
])

/** Columns of keys that hold 0 or 1, and that calls know as true and false. */
const tokenFlags: ReadonlySet<string> = new Set([
  'model_limits_enabled',
  'unlimited_quota',
  'include_cost',
  'deadline_only',
])

/** Fields that one action changes, by the action. */
const userFields: Readonly<Record<string, ReadonlySet<string>>> = {
  'user.update': new Set(['username', 'display_name', 'group']),
  'user.quota': new Set(['quota']),
  'user.enable': new Set(['status']),
  'user.disable': new Set(['status']),
  'user.promote': new Set(['role']),
  'user.demote': new Set(['role']),
}

const picked = (from: AuditEntry['before'], names: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(names.map((name) => [name, ownMember(from, name)]))

const isWhole = (names: readonly string[], { after }: AuditEntry): boolean =>
  names.length > 0 && names.every((name) => Object.hasOwn(after, name))

const userInverse = (entry: AuditEntry, id: number): Inverse | undefined => {
  const allowed = ownMember(userFields, entry.action)
  const names = Object.keys(entry.before)
  if (allowed === undefined || !isWhole(names, entry) || !names.every((name) => allowed.has(name))) return undefined
  return { kind: 'user', id, before: entry.before, after: picked(entry.after, names) }
}

const asFlags = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, tokenFlags.has(name) ? value === 1 : value]))

const tokenInverse = (entry: AuditEntry, id: number): Inverse | undefined => {
  const names = Object.keys(entry.before)
  if (entry.action !== 'token.update' || !isWhole(names, entry)) return undefined
  if (!names.every((name) => tokenFields.has(name))) return undefined
  const [before, after] = [asFlags(entry.before), asFlags(picked(entry.after, names))]
  return { kind: 'token', id, before, after, owner: entry.object_owner }
}

/** Limits are recorded whole, all their fields can be put back. */
const limitInverse = (entry: AuditEntry, id: number): Inverse | undefined => {
  const names = Object.keys(entry.before)
  if (entry.action !== 'limit.update' || !isWhole(names, entry)) return undefined
  return { kind: 'limit', id, before: entry.before, after: picked(entry.after, names) }
}

/** The inverse of an entry; undefined where there is none, or where the entry does not hold all of it. */
export const inverseOf = (entry: AuditEntry): Inverse | undefined => {
  if (entry.action === 'option.update') return optionInverse(entry)
  const id = Number(entry.object_id)
  if (!Number.isSafeInteger(id) || id < 1) return undefined
  if (entry.object === 'user') return userInverse(entry, id)
  if (entry.object === 'token') return tokenInverse(entry, id)
  if (entry.object === 'limit') return limitInverse(entry, id)
  if (!channelActions.has(entry.action)) return undefined
  // Automatic changes note name and cause beside the state.
  const changed = Object.keys(entry.before)
  if (changed.length === 0 || !changed.every((field) => channelFields.has(field))) return undefined
  if (entry.action === 'channel.update' && Object.keys(entry.after).some((field) => !changed.includes(field)))
    return undefined
  const after = Object.fromEntries(changed.map((field) => [field, ownMember(entry.after, field)]))
  return { kind: 'channel', id, before: entry.before, after }
}
