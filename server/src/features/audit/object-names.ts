import type { AuditEntry } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import type { Database } from '../../db/database.ts'

/** Kinds of objects whose rows have names, with the fields of entries that hold ids of them. */
const kinds = {
  channel: { table: 'channels', objects: ['channel'], fields: ['channel_id'] },
  user: { table: 'users', objects: ['user', 'session'], fields: ['user_id', 'member_id'] },
  token: { table: 'tokens', objects: ['token'], fields: ['token_id'] },
  organisation: { table: 'organisations', objects: ['organisation'], fields: ['organisation_id'] },
  team: { table: 'teams', objects: [], fields: ['team_id'] },
  project: { table: 'projects', objects: [], fields: ['project_id'] },
  redemption: { table: 'redemptions', objects: ['redemption'], fields: [] },
  limit: { table: 'call_limits', objects: ['limit'], fields: [] },
  virtual_model: { table: 'virtual_models', objects: ['virtual_model'], fields: [] },
  identity_provider: { table: 'identity_providers', objects: ['identity_provider'], fields: [] },
  price_list: { table: 'price_lists', objects: ['price_list'], fields: [] },
  access_token: { table: 'access_tokens', objects: ['access_token'], fields: [] },
} as const

type Kind = keyof typeof kinds
const kindNames = Object.keys(kinds) as readonly Kind[]

const kindOfObject = (object: string): Kind | undefined =>
  kindNames.find((kind) => (kinds[kind].objects as readonly string[]).includes(object))

/** Fields whose value is the id of a thing, each with the kind of that thing. */
const kindOfField: ReadonlyMap<string, Kind> = new Map(
  kindNames.flatMap((kind) => kinds[kind].fields.map((field) => [field, kind] as const)),
)

/** `subject` and `subject_id` of a cap name a team, a project or a user. */
const kindOfSubject = (subject: unknown): Kind | undefined =>
  subject === 'team' || subject === 'project' || subject === 'organisation'
    ? subject
    : subject === 'member' || subject === 'user'
      ? 'user'
      : undefined

const idOf = (value: unknown): number | undefined => {
  const id = Number(value)
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

interface Place {
  /** The field of the entry; empty for its object. */
  readonly field: string
  readonly kind: Kind
  readonly id: number
}

const placesOf = ({ object, object_id, before, after }: AuditEntry): Place[] => {
  const fieldValue = (field: string): unknown => ownMember(after, field) ?? ownMember(before, field)
  const own = [...kindOfField].map(([field, kind]) => ({ field, kind, id: idOf(fieldValue(field)) }))
  const all = [
    { field: '', kind: kindOfObject(object), id: idOf(object_id) },
    { field: 'subject_id', kind: kindOfSubject(fieldValue('subject')), id: idOf(fieldValue('subject_id')) },
    ...own,
  ]
  return all.flatMap(({ field, kind, id }) => (kind === undefined || id === undefined ? [] : [{ field, kind, id }]))
}

/** A named thing; the owner is set for API keys alone. */
interface Named {
  readonly name: string
  readonly owner?: number
}

const readNames = async (
  { query }: Database,
  kind: Kind,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Named>> => {
  if (ids.length === 0) return new Map()
  if (kind === 'user') {
    const rows = await query
      .selectFrom('users')
      .select(['id', 'username as name'])
      .where('id', 'in', [...ids])
      .execute()
    return new Map(rows.map((row) => [row.id, row]))
  }
  if (kind === 'token') {
    const rows = await query
      .selectFrom('tokens')
      .select(['id', 'name', 'user_id as owner'])
      .where('id', 'in', [...ids])
      .execute()
    return new Map(rows.map((row) => [row.id, row]))
  }
  const { table } = kinds[kind]
  const rows = await query
    .selectFrom(table)
    .select(['id', 'name'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** The name that the entry itself holds: the thing may have another one by now, or be gone. */
const recordedName = ({ before, after }: AuditEntry): string | undefined => {
  const found = ['name', 'username'].flatMap((field) => [ownMember(after, field), ownMember(before, field)])
  return found.find((value): value is string => typeof value === 'string' && value !== '')
}

/**
 * The entries with the names of what they are about: of their objects, and of ids among their fields. One query for each kind of
 * thing on the page.
 */
export const withNames = async (database: Database, entries: readonly AuditEntry[]): Promise<AuditEntry[]> => {
  const places = entries.map(placesOf)
  const read = await Promise.all(
    kindNames.map(async (kind) => {
      const ids = new Set(places.flat().flatMap((place) => (place.kind === kind ? place.id : [])))
      return [kind, await readNames(database, kind, [...ids])] as const
    }),
  )
  const names = new Map<Kind, ReadonlyMap<number, Named>>(read)
  return entries.map((entry, at) => {
    const found = (places[at] ?? []).flatMap(({ field, kind, id }) => {
      const named = names.get(kind)?.get(id)
      return named === undefined ? [] : [[field, named] as const]
    })
    const object = found.find(([field]) => field === '')?.[1]
    const objectName = recordedName(entry) ?? object?.name
    const ofFields = found.flatMap(([field, { name }]) => (field === '' ? [] : [[field, name] as const]))
    return {
      ...entry,
      ...(objectName === undefined ? {} : { object_name: objectName }),
      ...(object?.owner === undefined ? {} : { object_owner: object.owner }),
      ...(ofFields.length === 0 ? {} : { names: Object.fromEntries(ofFields) }),
    }
  })
}
