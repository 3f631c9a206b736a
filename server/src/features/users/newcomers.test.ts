import { writeLogText } from '@tollgate/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { newJournalDirectory, openTestLedger } from '../../../test/support/ledger/ledger.ts'
import type { Database } from '../../db/database.ts'
import { AppError } from '../../lib/app-error.ts'
import { verifyPassword } from '../../lib/security/password.ts'
import { openIdentities } from '../../verification/identities.ts'
import { createSignInWays } from '../../verification/sign-in-ways.ts'
import { removeAccessTokens } from '../access-tokens/store.ts'
import { openAudit } from '../audit/audit.ts'
import type { QuotaNote } from './parts.ts'
import { openUsers, type Users } from './users.ts'
import type { Newcomer } from './welcome.ts'

describeEachEngine('users who register themselves', (open) => {
  let database: Database
  let users: Users
  const notes: (Omit<QuotaNote, 'text'> & { readonly content: string })[] = []
  const ended: number[] = []
  const quotas = { newUser: 0, invitee: 0, inviter: 0 }
  const closing: (() => Promise<void>)[] = []

  beforeAll(async () => {
    database = await open()
    const { directory, remove } = await newJournalDirectory()
    const { ledger, crash } = await openTestLedger(database, directory)
    closing.push(crash, remove)
    users = openUsers({
      database,
      signInWays: createSignInWays(database),
      ledger: ledger.movements,
      identities: openIdentities(database, Date.now),
      audit: openAudit(database, Date.now),
      writeNote: async (note) => {
        const { text, ...rest } = note
        notes.push({ ...rest, content: writeLogText({ ...text, unit: 0 }, 'zh') ?? '' })
      },
      newUserQuota: () => quotas.newUser,
      invitationQuotas: () => quotas,
      groupExists: () => true,
      removeAccessTokens,
      endSessions: async (id) => {
        ended.push(id)
      },
      userChanged: () => {},
      clock: Date.now,
    })
  })
  afterAll(async () => {
    for (const close of closing) await close()
  })

  let count = 0
  const newcomerOf = (change: Partial<Newcomer> = {}): Newcomer => {
    count += 1
    return { username: `new${count}`, displayName: `New ${count}`, affCode: '', ...change }
  }
  const stored = (id: number) =>
    database.query.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const entriesOf = (id: number) =>
    database.query
      .selectFrom('ledger_entries')
      .select(['account', 'amount', 'reason'])
      .where('account_id', '=', id)
      .orderBy('id')
      .execute()
  const give = (changed: Partial<typeof quotas>): void => {
    Object.assign(quotas, { newUser: 0, invitee: 0, inviter: 0 }, changed)
    notes.length = 0
  }
  const codes = (outcomes: PromiseSettledResult<unknown>[]): (string | undefined)[] =>
    outcomes
      .filter((outcome) => outcome.status === 'rejected')
      .map(({ reason }) => (reason instanceof AppError ? reason.code : String(reason)))
  const by = (id: number) => ({ id, username: 'somebody', ip: '192.0.2.1' })

  it('are ordinary users with the quota that new users get', async () => {
    give({ newUser: 700 })
    const newcomer = newcomerOf({ password: 'a good password' })
    const id = await users.welcome(newcomer)
    const row = await stored(id)
    expect(row).toMatchObject({ username: newcomer.username, role: 1, status: 1, group: 'default', quota: 700 })
    expect(row.display_name).toBe(newcomer.displayName)
    expect(await verifyPassword('a good password', row.password)).toBe(true)
    expect(await entriesOf(id)).toEqual([{ account: 'user', amount: 700, reason: 'opening' }])
    expect(notes).toMatchObject([{ userId: id, type: 4, content: '新用户注册赠送 700 点额度' }])
  })

  it('earn the invited and the inviting user what the options say', async () => {
    give({})
    const inviter = await users.welcome(newcomerOf())
    give({ newUser: 700, invitee: 50, inviter: 30 })
    const { aff_code: affCode } = await stored(inviter)
    const invited = await users.welcome(newcomerOf({ affCode }))
    expect(await stored(invited)).toMatchObject({ inviter_id: inviter, quota: 750 })
    expect(await stored(inviter)).toMatchObject({ aff_count: 1, aff_quota: 30, aff_history_quota: 30, quota: 0 })
    expect(await entriesOf(inviter)).toEqual([{ account: 'aff', amount: 30, reason: 'grant' }])
    expect(notes.map(({ userId, content }) => [userId, content])).toEqual([
      [invited, '新用户注册赠送 700 点额度'],
      [invited, '使用邀请码赠送 50 点额度'],
      [inviter, '邀请用户赠送 30 点额度'],
    ])
  })

  it('count every invitation that is accepted at the same moment', async () => {
    give({ inviter: 30 })
    const inviter = await users.welcome(newcomerOf())
    const { aff_code: affCode } = await stored(inviter)
    await Promise.all(Array.from({ length: 6 }, () => users.welcome(newcomerOf({ affCode }))))
    expect(await stored(inviter)).toMatchObject({ aff_count: 6, aff_quota: 180, aff_history_quota: 180 })
  })

  it('may register with an unknown or removed invite code', async () => {
    give({ invitee: 50, inviter: 30 })
    const gone = await users.welcome(newcomerOf())
    const { aff_code: affCode } = await stored(gone)
    await database.query.updateTable('users').set({ deleted_at: 1 }).where('id', '=', gone).execute()
    for (const code of ['unknown', affCode]) {
      expect(await stored(await users.welcome(newcomerOf({ affCode: code })))).toMatchObject({
        inviter_id: 0,
        quota: 0,
      })
    }
    expect(await stored(gone)).toMatchObject({ aff_count: 0, aff_quota: 0 })
  })

  it('need no password when they sign in elsewhere', async () => {
    give({})
    const identities = [{ provider: 'github', subject: '4711', shown: 'octocat' }] as const
    const row = await stored(await users.welcome(newcomerOf({ identities })))
    expect(row).toMatchObject({ password: '', github_id: 'octocat' })
    expect(await verifyPassword('', row.password)).toBe(false)
    const again = await Promise.allSettled([users.welcome(newcomerOf({ identities }))])
    expect(codes(again)).toEqual(['identity_taken'])
  })

  it('share no e-mail address, whatever the moment', async () => {
    give({})
    const identities = [{ provider: 'email', subject: 'one@example.com' }] as const
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, () => users.welcome(newcomerOf({ password: 'a good password', identities }))),
    )
    expect(codes(outcomes)).toEqual(Array(5).fill('email_taken'))
    const rows = await database.query.selectFrom('users').select('id').where('email', '=', 'one@example.com').execute()
    expect(rows).toHaveLength(1)
  })

  it('share no name, and leave nothing behind when they are refused', async () => {
    give({ newUser: 700, inviter: 30 })
    const inviter = await users.welcome(newcomerOf())
    const { aff_code: affCode } = await stored(inviter)
    const newcomer = newcomerOf({ affCode, identities: [{ provider: 'github', subject: 'same name' }] })
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map((subject) =>
        users.welcome({ ...newcomer, identities: [{ provider: 'github', subject: `same name ${subject}` }] }),
      ),
    )
    expect(codes(outcomes)).toEqual(['username_taken', 'username_taken'])
    expect(await stored(inviter)).toMatchObject({ aff_count: 1, aff_quota: 30 })
    const identities = await database.query.selectFrom('identities').selectAll().execute()
    expect(identities.filter(({ subject }) => subject.startsWith('same name'))).toHaveLength(1)
  })

  it('are not made when what they come with is refused at the last moment', async () => {
    const newcomer = newcomerOf({
      within: async () => {
        throw new AppError('verification_code_wrong')
      },
    })
    expect(codes(await Promise.allSettled([users.welcome(newcomer)]))).toEqual(['verification_code_wrong'])
    expect(await users.directory.byLoginName(newcomer.username)).toBeUndefined()
  })

  it('link, replace and remove an address, with a trace', async () => {
    const id = await users.welcome(newcomerOf({ password: 'a good password' }))
    await users.links.link(by(id), { provider: 'email', subject: 'first@example.com' })
    await users.links.link(by(id), { provider: 'email', subject: 'second@example.com' })
    expect((await users.links.emailOwner('second@example.com'))?.id).toBe(id)
    expect(await users.links.emailTaken('first@example.com')).toBe(false)
    await users.links.unlink(by(id), 'email')
    expect((await stored(id)).email).toBe('')
    const trail = await database.query.selectFrom('audit').selectAll().where('object_id', '=', String(id)).execute()
    expect(trail.map(({ action, after }) => [action, after])).toEqual([
      ['user.link', '{"email":"first@example.com"}'],
      ['user.link', '{"email":"second@example.com"}'],
      ['user.unlink', '{"email":""}'],
    ])
  })

  it('cannot remove their last way in', async () => {
    const identities = [{ provider: 'email', subject: 'only@example.com' }] as const
    const id = await users.welcome(newcomerOf({ identities }))
    expect(codes(await Promise.allSettled([users.links.unlink(by(id), 'email')]))).toEqual(['last_sign_in'])
    expect((await stored(id)).email).toBe('only@example.com')
  })

  it('get a new password, and everything that the old one opened ends', async () => {
    const id = await users.welcome(newcomerOf({ password: 'a good password' }))
    await database.query
      .updateTable('users')
      .set({ access_token_hash: `hash ${id}` })
      .where('id', '=', id)
      .execute()
    const recovery = { userId: id, password: 'a better password', ip: '192.0.2.1', within: async () => {} }
    await users.resetPassword(recovery)
    const row = await stored(id)
    expect(await verifyPassword('a better password', row.password)).toBe(true)
    expect(row.access_token_hash).toBeNull()
    expect(ended).toContain(id)
    const trail = await database.query.selectFrom('audit').selectAll().where('object_id', '=', String(id)).execute()
    expect(trail).toMatchObject([{ action: 'user.password_reset', after: '{"password":"***"}', ip: '192.0.2.1' }])
    const refused = await Promise.allSettled([users.resetPassword({ ...recovery, password: 'short' })])
    expect(codes(refused)).toEqual(['password_invalid'])
  })
})
