import { role } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import { insertReturningId } from '#server/db/dialect.ts'
import type { Tables } from '#server/db/schema.ts'
import { openImported } from '#server/ledger/opening.ts'
import { unixSeconds } from '#server/lib/clock.ts'
import { randomAlphanumerics } from '#server/lib/ids.ts'
import { storedSha256 } from '#server/lib/security/imported-credentials.ts'
import { hashPassword } from '#server/lib/security/password.ts'
import type { ImportRun } from '../run.ts'
import type { MovedUser, SourcePassword } from '../site.ts'

const affCodeLength = 4

/** Password as it is stored, never in plain text. */
const storedPassword = async (password: SourcePassword): Promise<string> => {
  switch (password.scheme) {
    case 'stored':
      return password.text
    case 'sha256':
      return storedSha256(await hashPassword(password.hex))
    case 'plain':
      return hashPassword(password.text)
    case 'none':
      return ''
  }
}

interface Chosen {
  readonly user: MovedUser
  readonly username: string
  readonly role: number
  readonly affCode: string
  readonly password: string
  readonly accessTokenHash: string | null
}

/** Moves users with their balances; a page is one transaction, so a run that ends early goes on after it. */
export const createUserWriter = (run: ImportRun) => {
  const { target, notes, map } = run
  const { database } = target
  const emails = new Set<string>()
  /** User → inviter, where the inviter comes later in the source. */
  const lateInviters = new Map<string, string>()

  const takenNames = async (names: readonly string[]): Promise<Set<string>> => {
    if (names.length === 0) return new Set()
    const rows = await database.query.selectFrom('users').select('username').where('username', 'in', names).execute()
    return new Set(rows.map(({ username }) => username))
  }

  /** The name, or the first free one with a number behind it. */
  const freeName = async (wanted: string, taken: Set<string>): Promise<string> => {
    if (!taken.has(wanted)) return wanted
    for (let from = 2; ; from += 20) {
      const candidates = Array.from({ length: 20 }, (_, index) => `${wanted}-${from + index}`)
      const stored = await takenNames(candidates)
      const free = candidates.find((name) => !stored.has(name) && !taken.has(name))
      if (free !== undefined) return free
    }
  }

  const hasRoot = async (): Promise<boolean> => {
    const root = database.query.selectFrom('users').select('id').where('role', '=', role.root)
    return (await root.where('deleted_at', 'is', null).limit(1).executeTakeFirst()) !== undefined
  }

  const freeCodes = async (users: readonly MovedUser[]): Promise<ReadonlyMap<string, string>> => {
    const wanted = users.map(({ affCode }) => affCode).filter((code) => code !== '')
    const stored =
      wanted.length === 0
        ? []
        : await database.query.selectFrom('users').select('aff_code').where('aff_code', 'in', wanted).execute()
    const taken = new Set(stored.map(({ aff_code }) => aff_code))
    return new Map(
      users.map(({ sourceId, affCode }) => {
        const code = affCode === '' || taken.has(affCode) ? randomAlphanumerics(affCodeLength * 2) : affCode
        taken.add(code)
        return [sourceId, code]
      }),
    )
  }

  /** Hashes of system access tokens that nobody here has. */
  const freeAccessTokens = async (users: readonly MovedUser[]): Promise<ReadonlyMap<string, string>> => {
    const hashes = new Map(
      users.flatMap(({ sourceId, accessToken }): [string, string][] =>
        accessToken === '' ? [] : [[sourceId, target.secrets.digest('access_token', accessToken)]],
      ),
    )
    if (hashes.size === 0) return hashes
    const rows = await database.query
      .selectFrom('users')
      .select('access_token_hash')
      .where('access_token_hash', 'in', [...hashes.values()])
      .execute()
    const taken = new Set(rows.map(({ access_token_hash }) => access_token_hash))
    return new Map([...hashes].filter(([, hash]) => !taken.has(hash)))
  }

  const choose = async (users: readonly MovedUser[]): Promise<readonly Chosen[]> => {
    const taken = await takenNames(users.map(({ username }) => username))
    const codes = await freeCodes(users)
    const accessTokens = await freeAccessTokens(users)
    let isRootThere = await hasRoot()
    const chosen: Chosen[] = []
    for (const user of users) {
      const username = await freeName(user.username, taken)
      taken.add(username)
      if (username !== user.username) notes.note('user_renamed', `${user.username} → ${username}`)
      const isSecondRoot = user.role === role.root && isRootThere
      if (isSecondRoot) notes.note('user_demoted', username)
      isRootThere ||= user.role === role.root
      if (user.password.scheme === 'none') notes.note('user_no_password', username)
      chosen.push({
        user,
        username,
        role: isSecondRoot ? role.admin : user.role,
        affCode: codes.get(user.sourceId) ?? randomAlphanumerics(affCodeLength * 2),
        password: run.dryRun ? '' : await storedPassword(user.password),
        accessTokenHash: accessTokens.get(user.sourceId) ?? null,
      })
    }
    return chosen
  }

  const insert = async (trx: Transaction<Tables>, chosen: Chosen, inviters: ReadonlyMap<string, number>) => {
    const { user } = chosen
    return insertReturningId(trx, 'users', {
      username: chosen.username,
      password: chosen.password,
      display_name: user.displayName,
      role: chosen.role,
      status: user.status,
      email: user.email.toLowerCase(),
      github_id: user.githubId,
      oidc_id: user.oidcId,
      wechat_id: user.wechatId,
      telegram_id: user.telegramId,
      linux_do_id: user.linuxDoId,
      access_token_hash: chosen.accessTokenHash,
      group: user.group,
      aff_code: chosen.affCode,
      aff_count: user.affCount,
      inviter_id: inviters.get(user.inviterId) ?? 0,
      deleted_at: user.deletedAt,
      setting: user.setting,
      created_time: user.createdTime,
      last_login_time: user.lastLoginTime,
    })
  }

  const insertAll = (chosen: readonly Chosen[]): Promise<void> =>
    database.transaction(async (trx) => {
      const inviters = new Map(
        await map.known(
          'user',
          chosen.map(({ user }) => user.inviterId),
        ),
      )
      const made = new Map<string, number>()
      for (const entry of chosen) {
        const id = await insert(trx, entry, inviters)
        made.set(entry.user.sourceId, id)
        inviters.set(entry.user.sourceId, id)
      }
      await map.add(trx, 'user', made)
      const users = chosen.map(({ user }) => ({ ...user, id: made.get(user.sourceId) ?? 0 }))
      await openImported(database, trx, {
        users: users.map(({ id, quota, usedQuota, requestCount, affQuota, affHistory }) => ({
          id,
          quota,
          usedQuota,
          requestCount,
          affQuota,
          affHistory,
        })),
        at: unixSeconds(target.clock),
        detail: { imported: run.site },
      })
    })

  const noteEmails = (users: readonly MovedUser[]): void => {
    for (const { email, deletedAt } of users) {
      if (email === '' || deletedAt !== null) continue
      if (emails.has(email.toLowerCase())) notes.note('email_shared', email)
      emails.add(email.toLowerCase())
    }
  }

  return {
    async write(users: readonly MovedUser[]): Promise<void> {
      const known = await map.known(
        'user',
        users.map(({ sourceId }) => sourceId),
      )
      const fresh = users.filter(({ sourceId }) => !known.has(sourceId))
      run.count('user', { found: users.length, known: users.length - fresh.length, carried: fresh.length })
      for (const { quota, usedQuota, affQuota, sourceId, inviterId } of users) {
        run.add('user_quota', quota)
        run.add('user_used', usedQuota)
        run.add('aff_quota', affQuota)
        if (Number(inviterId) > Number(sourceId)) lateInviters.set(sourceId, inviterId)
      }
      noteEmails(users)
      const chosen = await choose(fresh)
      if (run.dryRun) {
        map.pretend(
          'user',
          fresh.map(({ sourceId }) => sourceId),
        )
      } else if (chosen.length > 0) await insertAll(chosen)
    },

    /** Once all users are there. */
    async linkInviters(): Promise<void> {
      if (run.dryRun) return
      for (const [user, inviter] of lateInviters) {
        const ids = await map.known('user', [user, inviter])
        const [id, inviterId] = [ids.get(user), ids.get(inviter)]
        if (id === undefined || inviterId === undefined) continue
        await database.query
          .updateTable('users')
          .set({ inviter_id: inviterId })
          .where('id', '=', id)
          .where('inviter_id', '=', 0)
          .execute()
      }
    },
  }
}
