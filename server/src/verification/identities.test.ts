import { beforeAll, expect, it } from 'vitest'
import { describeEachEngine } from '../../test/support/db/databases.ts'
import { testUser } from '../../test/support/db/rows.ts'
import type { Database } from '../db/database.ts'
import { insertReturningId } from '../db/dialect.ts'
import { type Identity, openIdentities } from './identities.ts'

describeEachEngine('accounts elsewhere', (open) => {
  let database: Database
  const now = 1_800_000_000
  const identities = () => openIdentities(database, () => now * 1000)
  let count = 0
  const createUser = (change: Partial<ReturnType<typeof testUser>> = {}): Promise<number> => {
    count += 1
    return insertReturningId(database.query, 'users', {
      ...testUser(`user${count}`),
      aff_code: `aff${count}`,
      ...change,
    })
  }
  const bind = (id: number, identity: Identity): Promise<boolean> =>
    database.transaction((trx) => identities().bind(trx, id, identity))
  const shown = (id: number) =>
    database.query.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  beforeAll(async () => {
    database = await open()
  })

  it('belong to one user and are shown with the user', async () => {
    const [a, b] = [await createUser(), await createUser()]
    const identity = { provider: 'oidc', subject: 'a hash', shown: 'sub', name: 'Ada' } as const
    expect([await bind(a, identity), await bind(b, identity)]).toEqual([true, false])
    expect(await identities().ownerOf(identity)).toBe(a)
    expect(await identities().of(a)).toEqual([{ provider: 'oidc', subject: 'a hash', name: 'Ada', created_time: now }])
    expect([(await shown(a)).oidc_id, (await shown(b)).oidc_id]).toEqual(['sub', ''])
  })

  it('are distinguished by case and by provider', async () => {
    const [a, b, c] = [await createUser(), await createUser(), await createUser()]
    expect(await bind(a, { provider: 'wechat', subject: 'oAbC' })).toBe(true)
    expect(await bind(b, { provider: 'wechat', subject: 'oabc' })).toBe(true)
    expect(await bind(c, { provider: 'telegram', subject: 'oAbC' })).toBe(true)
  })

  it('replace an earlier one of the same provider, and can be removed', async () => {
    const id = await createUser()
    await bind(id, { provider: 'github', subject: '1', name: 'one' })
    await bind(id, { provider: 'github', subject: '2', name: 'two' })
    expect(await identities().ownerOf({ provider: 'github', subject: '1' })).toBeUndefined()
    expect((await shown(id)).github_id).toBe('2')
    await database.transaction((trx) => identities().unbind(trx, id, 'github'))
    expect([await identities().of(id), (await shown(id)).github_id]).toEqual([[], ''])
  })

  it('go to one of many users who claim the same one at the same moment', async () => {
    const users = await Promise.all(Array.from({ length: 6 }, () => createUser()))
    const identity = { provider: 'linuxdo', subject: 'wanted' } as const
    const lost = new Error('lost')
    const outcomes = await Promise.allSettled(
      users.map((id) =>
        database.transaction(async (trx) => {
          if (!(await identities().bind(trx, id, identity))) throw lost
          return id
        }),
      ),
    )
    const winners = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    expect(winners).toHaveLength(1)
    expect(await identities().ownerOf(identity)).toBe(winners[0])
    for (const id of users) expect((await shown(id)).linux_do_id).toBe(id === winners[0] ? 'wanted' : '')
  })

  it('leave the transaction usable when another user has it', async () => {
    const [a, b] = [await createUser(), await createUser()]
    await bind(a, { provider: 'email', subject: 'a@example.com' })
    await database.transaction(async (trx) => {
      expect(await identities().bind(trx, b, { provider: 'email', subject: 'a@example.com' })).toBe(false)
      await trx.updateTable('users').set({ display_name: 'still here' }).where('id', '=', b).execute()
    })
    expect((await shown(b)).display_name).toBe('still here')
  })

  it('of an older product are found by the user’s column, until there is an identity', async () => {
    const id = await createUser({ github_id: 'octocat' })
    expect(await identities().earlierOwner('github', 'octocat')).toBe(id)
    expect(await identities().earlierOwner('github', '')).toBeUndefined()
    expect(await identities().earlierOwner('linuxdo', 'octocat')).toBeUndefined()
    await bind(id, { provider: 'github', subject: 'octocat' })
    expect(await identities().earlierOwner('github', 'octocat')).toBeUndefined()
  })

  it('of an older product count only when they point to one user', async () => {
    await createUser({ wechat_id: 'shared' })
    await createUser({ wechat_id: 'shared' })
    expect(await identities().earlierOwner('wechat', 'shared')).toBeUndefined()
    await createUser({ wechat_id: 'half', deleted_at: 1 })
    const living = await createUser({ wechat_id: 'half' })
    expect(await identities().earlierOwner('wechat', 'half')).toBe(living)
    const cancelled = await createUser({ wechat_id: 'gone', deleted_at: 1 })
    expect(await identities().earlierOwner('wechat', 'gone')).toBe(cancelled)
  })
})
