import type { DataOf, getOrganisationSpend } from '@tollgate/contract'
import { parseObject } from '@tollgate/contract/json'
import { ownMember } from '@tollgate/contract/own-member'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/schema.ts'
import { may, type OrganisationAccess } from './rights.ts'

export type SpendRow = DataOf<typeof getOrganisationSpend>[number]

/** A key of a project, as far as reading its spending goes. */
export interface ReadableKey {
  readonly id: number
  readonly projectId: number
  readonly memberId: number
  readonly tags: string | null
}

/**
 * The keys whose spending and calls the person may read: all of the organisation, those of teams in which they may read all, and
 * their own. Deleted keys and those of archived projects are among them: what they spent stays.
 */
export const readableKeys = async (on: Kysely<Tables>, access: OrganisationAccess): Promise<ReadableKey[]> => {
  const rows = await on
    .selectFrom('tokens as t')
    .innerJoin('projects as p', 'p.id', 't.project_id')
    .select(['t.id', 't.project_id', 't.member_id', 't.tags', 'p.team_id'])
    .where('t.user_id', '=', access.walletId)
    .execute()
  return rows
    .filter((row) => row.member_id === access.userId || may(access, 'read_all', row.team_id))
    .map(({ id, project_id, member_id, tags }) => ({ id, projectId: project_id, memberId: member_id, tags }))
}

/** Start of the calendar month (UTC) of `at`, both in unix seconds. */
export const monthStart = (at: number): number => {
  const date = new Date(at * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / 1000
}

/** Spending of calls with a tag of a name, by key and value. */
const taggedSpend = async (
  on: Kysely<Tables>,
  access: OrganisationAccess,
  { from, to, tag }: { from: number; to: number; tag: string },
) => {
  const rows = await on
    .selectFrom('call_tag_hours')
    .select(['token_id', 'tag'])
    .select([sql<number | string>`sum(quota)`.as('quota'), sql<number | string>`sum(${sql.ref('count')})`.as('calls')])
    .where('user_id', '=', access.walletId)
    .where('created_at', '>=', from)
    .where('created_at', '<', to === 0 ? Number.MAX_SAFE_INTEGER : to)
    .where(sql<string>`substr(tag, 1, ${tag.length + 1})`, '=', `${tag}=`)
    .groupBy(['token_id', 'tag'])
    .execute()
  return rows.map((row) => ({ ...row, value: row.tag.slice(tag.length + 1) }))
}

/** Spending of these keys from one time until before another (0 for no end), in unix seconds and whole hours. */
export const spendOf = async (
  on: Kysely<Tables>,
  access: OrganisationAccess,
  keys: readonly ReadableKey[],
  { from, to, tag }: { from: number; to: number; tag: string },
): Promise<SpendRow[]> => {
  const rows = await on
    .selectFrom('usage_hours')
    .select(['token_id'])
    .select([sql<number | string>`sum(quota)`.as('quota'), sql<number | string>`sum(${sql.ref('count')})`.as('calls')])
    .where('user_id', '=', access.walletId)
    .where('created_at', '>=', from)
    .where('created_at', '<', to === 0 ? Number.MAX_SAFE_INTEGER : to)
    .groupBy('token_id')
    .execute()
  const tagged = tag === '' ? [] : await taggedSpend(on, access, { from, to, tag })
  const byId = new Map(keys.map((key) => [key.id, key]))
  const sums = new Map<string, SpendRow>()
  // Spending of a key beside its tagged calls: calls from before tags were counted, which have the tags of the key.
  const rest = rows.map((row) => {
    const own = tagged.filter((one) => one.token_id === row.token_id)
    const left = (name: 'quota' | 'calls') => own.reduce((sum, one) => sum - Number(one[name]), Number(row[name]))
    const value = tag === '' ? '' : String(ownMember(parseObject(byId.get(row.token_id)?.tags ?? '{}'), tag) ?? '')
    return { token_id: row.token_id, value, quota: left('quota'), calls: left('calls') }
  })
  for (const { value, ...row } of [...tagged, ...rest]) {
    const key = byId.get(row.token_id)
    if (key === undefined || (Number(row.quota) === 0 && Number(row.calls) === 0)) continue
    const name = `${key.projectId} ${key.memberId} ${value}`
    const before = sums.get(name)
    sums.set(name, {
      project_id: key.projectId,
      member_id: key.memberId,
      tag: value,
      quota: (before?.quota ?? 0) + Number(row.quota),
      count: (before?.count ?? 0) + Number(row.calls),
    })
  }
  return [...sums.values()]
}

/** Ids of keys that fit a filter of the log; 0 for any project or member. */
export const keysOf = (
  keys: readonly ReadableKey[],
  { project_id, member_id }: { project_id: number; member_id: number },
): number[] =>
  keys
    .filter(
      (key) => (project_id === 0 || key.projectId === project_id) && (member_id === 0 || key.memberId === member_id),
    )
    .map(({ id }) => id)
