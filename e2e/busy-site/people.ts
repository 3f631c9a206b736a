import { createHash } from 'node:crypto'
import type { Database } from '../../server/src/db/database.ts'
import { newTokenRow } from '../../server/src/features/tokens/change.ts'
import { openImported } from '../../server/src/ledger/opening.ts'
import { hashPassword } from '../../server/src/lib/security/password.ts'
import type { Secrets } from '../../server/src/lib/security/secrets.ts'
import { type BusyPlan, busyPassword, daySeconds, groups, topSpender } from './plan.ts'
import { createRandom } from './random.ts'

/** A key and the user who calls with it. */
export interface Caller {
  readonly userId: number
  readonly username: string
  readonly group: string
  readonly tokenId: number
  readonly tokenName: string
}

const givenNames = [
  'Ada',
  'Bo',
  'Chidi',
  'Dana',
  'Elif',
  'Finn',
  'Gita',
  'Hugo',
  'Ines',
  'Jun',
  'Kofi',
  'Lena',
  '明',
  '雪',
]
const familyNames = [
  'Moreau',
  'Lindqvist',
  'Okafor',
  'Tanaka',
  'Novak',
  'Silva',
  'Haddad',
  'Berg',
  'Rossi',
  'Kim',
  '陈',
]
const keyNames = ['production', 'notebook', 'nightly', 'support-desk', 'editor'] as const

const dollar = 500_000

const usernameOf = (index: number): string => (index === 0 ? topSpender : `user${String(index).padStart(5, '0')}`)

/** The 48 characters of a key: those of the seed, so that a run can be repeated. */
const keyOf = (seed: number, name: string): string =>
  createHash('sha256').update(`${seed} ${name}`).digest('hex').slice(0, 48)

/**
 * Writes the users, each with a balance in the ledger and one or two keys, and answers the keys in the order of the users. All have the
 * password of the plan.
 */
export const writePeople = async (
  { database, secrets }: { readonly database: Database; readonly secrets: Secrets },
  { seed, users, days, until }: BusyPlan,
): Promise<Caller[]> => {
  const random = createRandom(seed)
  const end = Math.floor(until / 1000)
  const password = await hashPassword(busyPassword)
  const begun = end - days * daySeconds
  const people = Array.from({ length: users }, (_, index) => {
    const among = random.below(100)
    const group = groups.find((_, at) => among < groups.slice(0, at + 1).reduce((sum, { share }) => sum + share, 0))
    return {
      username: usernameOf(index),
      password,
      display_name: `${random.of(givenNames)} ${random.of(familyNames)}`,
      role: 1,
      status: index % 97 === 5 ? 2 : 1,
      email: `${usernameOf(index)}@example.com`,
      github_id: '',
      oidc_id: '',
      wechat_id: '',
      telegram_id: '',
      linux_do_id: '',
      access_token_hash: null,
      staff_permissions: null,
      quota: 0,
      used_quota: 0,
      request_count: 0,
      aff_quota: 0,
      aff_history_quota: 0,
      aff_count: 0,
      group: group?.name ?? 'default',
      aff_code: `busy${index}`,
      inviter_id: 0,
      deleted_at: null,
      setting: '',
      created_time: begun - random.below(30 * daySeconds),
      last_login_time: end - random.below(daySeconds * 20),
    }
  })
  await database.insertMany('users', people)
  const rows = await database.query.selectFrom('users').select(['id', 'username']).execute()
  const idOf = new Map(rows.map(({ id, username }) => [username, id]))
  const keys = people.flatMap(({ username, group, created_time }, index) =>
    keyNames.slice(index % keyNames.length, (index % keyNames.length) + 1 + (index % 2)).map((name) => {
      const userId = idOf.get(username) ?? 0
      const body = {
        name,
        remain_quota: 0,
        unlimited_quota: true,
        expired_time: -1,
        group: '',
        model_limits_enabled: false,
        model_limits: '',
        allow_ips: '',
      }
      const key = keyOf(seed, `${username} ${name}`)
      const row = newTokenRow(body, { userId, key, now: created_time }, secrets)
      return { row: { ...row, remain_quota: 0, used_quota: 0, deleted_at: null }, userId, username, group, name }
    }),
  )
  await database.insertMany(
    'tokens',
    keys.map(({ row }) => row),
  )
  await database.transaction((trx) =>
    openImported(database, trx, {
      users: people.map(({ username }, index) => ({
        id: idOf.get(username) ?? 0,
        quota: (index === 0 ? 100_000 : 20 + random.below(500)) * dollar,
        usedQuota: 0,
        requestCount: 0,
        affQuota: 0,
        affHistory: 0,
      })),
      at: begun,
      detail: { busy_site: seed },
    }),
  )
  const written = await database.query.selectFrom('tokens').select(['id', 'key_hash']).execute()
  const tokenOf = new Map(written.map(({ id, key_hash }) => [key_hash, id]))
  return keys.map(({ row, userId, username, group, name }) => ({
    userId,
    username,
    group,
    tokenId: tokenOf.get(row.key_hash) ?? 0,
    tokenName: name,
  }))
}
