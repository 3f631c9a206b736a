import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { movementsOf } from '../../../test/support/features/accounts.ts'
import { openRegistrationSite } from '../../../test/support/features/registration.ts'
import { requiring } from '../../../test/support/single-sign-on/requiring.ts'
import type { Database } from '../../db/database.ts'
import { silentLog } from '../../lib/log.ts'
import { openBus } from '../../lib/redis/bus.ts'
import { openSecrets } from '../../lib/security/secrets.ts'
import { welcomeMail } from '../../mail/templates.ts'
import { openOneTimeCodes } from '../../verification/one-time-codes.ts'
import { openAudit } from '../audit/audit.ts'
import { openLimits } from '../limits/limits.ts'
import { openTokenCreation } from '../tokens/creation.ts'
import { openTokenStore } from '../tokens/store.ts'
import { createUserAdder } from './add.ts'
import { createInvitationAcceptor } from './invitations.ts'
import { newUserRoutes } from './join.ts'

const secrets = openSecrets({ cryptoSecret: 'a secret for tests', keyFile: 'unused' })

/** A site with users, keys and limits on a real database, and a real mail server. */
const openSite = async (database: Database) => {
  const here = await openRegistrationSite(database)
  const { site } = here
  const clock = () => site.state.now
  const audit = openAudit(database, clock)
  const madeKeys: number[] = []
  const state = { keysFail: false }
  const limits = await openLimits({
    database,
    audit,
    bus: openBus({ nodeName: 'test', log: silentLog }),
    clock,
    assertTarget: async () => undefined,
    changed: () => undefined,
    warn: () => undefined,
  })
  const keys = openTokenCreation({
    database,
    store: openTokenStore(database),
    secrets,
    ledger: movementsOf(database, clock),
    groupUsable: () => true,
    directory: { changed: () => undefined },
    audit,
    clock,
    mostTokens: () => 40,
  })
  const parts = {
    users: site.users,
    usernameTaken: async (username: string) => (await here.stored(username)) !== undefined,
    groupExists: (group: string) => ['default', 'vip'].includes(group),
    createKey: (...[trx, owner, body]: Parameters<typeof keys.firstIn>) => {
      if (state.keysFail) throw new Error('no key today')
      return keys.firstIn(trx, owner, body)
    },
    keyMade: (id: number) => void madeKeys.push(id),
    createLimit: limits.createIn,
    limitMade: limits.refresh,
    codes: openOneTimeCodes({ database, secrets, clock }),
    requiredWays: {
      ofAddress: (address: string) => site.state.requiredWays.ofAddress(address),
      ofAccount: (account: { id: number; email: string; role: number }) => site.state.requiredWays.ofAccount(account),
    },
    audit,
    sendInvitation: async ({
      to,
      secret,
      ...text
    }: {
      to: string
      secret: string
      inviter: string
      username: string
    }) => {
      if (here.settings.SMTPServer === '') return false
      const url = `https://gate.test/invited#${secret}`
      const mail = welcomeMail({ to, systemName: 'Tollgate', language: 'en' }, { ...text, url, days: 7 })
      return here.smtp
        .mailerFor({ SMTPPort: here.settings.SMTPPort })(mail)
        .then(
          () => true,
          () => false,
        )
    },
  }
  newUserRoutes(site.api.on, { add: createUserAdder(parts), accept: createInvitationAcceptor(parts) })
  const root = await site.signIn('root', 'root password')
  return { ...here, limits, madeKeys, state, root }
}

describeEachEngine('adding a user', (open) => {
  let here: Awaited<ReturnType<typeof openSite>>
  beforeAll(async () => {
    here = await openSite(await open())
  })
  beforeEach(() => here.reset())
  afterAll(async () => {
    here.limits.close()
    await here.smtp.close()
  })
  const add = async (body: object, by = here.root) => (await by.call('POST', '/api/user/add', body)).json
  const query = () => here.site.database.query
  /** The newest entries of the audit log, the oldest first. */
  const trail = async (count: number) =>
    (await query().selectFrom('audit').select(['action', 'object_id', 'actor_name']).orderBy('id').execute()).slice(
      -count,
    )
  const key = { kind: 'key' }
  const accept = (body: object) => here.visit('POST', '/api/user/invitation/accept', body)

  it('makes account, key and budget together, and each leaves an entry', async () => {
    const { username, email } = here.fresh()
    const body = { username, email: ` ${email.toUpperCase()} `, group: 'vip', role: 10, quota: 5000, entry: key }
    const { data } = (await add({ ...body, budget: { amount: 900, time_zone: 'Asia/Tokyo' } })) as {
      data: { id: number; key: string; secret: string; username: string }
    }
    expect(data).toMatchObject({ username, key: expect.stringMatching(/^\w{48}$/), secret: '', mailed: false })
    const stored = await here.stored(username)
    expect(stored).toMatchObject({ role: 10, group: 'vip', quota: 5000, email, password: '', display_name: username })
    const token = await query().selectFrom('tokens').selectAll().where('user_id', '=', data.id).executeTakeFirst()
    expect(token).toMatchObject({ name: username, unlimited_quota: 1, expired_time: -1 })
    expect(token?.key_hash).toBe(secrets.digest('token_key', data.key))
    expect(here.madeKeys).toContain(token?.id)
    const [limit] = (await here.limits.list()).filter(({ name }) => name === username)
    expect(limit).toMatchObject({ amount: 900, window: 'month', measure: 'money', action: 'refuse' })
    expect(limit).toMatchObject({ time_zone: 'Asia/Tokyo', subjects: [{ kind: 'user', value: String(data.id) }] })
    expect(await trail(3)).toEqual([
      { action: 'user.create', object_id: String(data.id), actor_name: 'root' },
      { action: 'limit.create', object_id: String(limit?.id), actor_name: 'root' },
      { action: 'token.create', object_id: String(token?.id), actor_name: 'root' },
    ])
  })

  it('makes nothing where one part fails', async () => {
    const { username, email } = here.fresh()
    const limits = (await here.limits.list()).length
    here.state.keysFail = true
    try {
      expect(await add({ username, email, budget: { amount: 5 }, entry: key })).toMatchObject({ success: false })
    } finally {
      here.state.keysFail = false
    }
    expect(await here.stored(username)).toBeUndefined()
    expect(await here.limits.list()).toHaveLength(limits)
    expect(await add({ username, email, entry: key })).toMatchObject({ success: true })
  })

  it('signs in with the password that was given', async () => {
    const { username } = here.fresh()
    here.site.state.newUserQuota = 700
    await add({ username, entry: { kind: 'password', password: 'a good password' } })
    expect((await here.site.signIn(username, 'a good password')).id).toBeGreaterThan(0)
    expect(await here.stored(username)).toMatchObject({ quota: 700, role: 1, group: 'default', email: '' })
  })

  it('makes the name of the address where none is given', async () => {
    const names: unknown[] = []
    for (const domain of ['a.example', 'b.example', 'c.example']) {
      const { data } = await add({ email: `firstname.lastname@${domain}`, entry: key })
      names.push((data as { username: string }).username)
    }
    expect(names).toEqual(['firstname.la', 'firstname.l2', 'firstname.l3'])
  })

  describe('by invitation', () => {
    const invite = async (more: object = {}) => {
      const { username, email } = here.fresh()
      const { data } = await add({ username, email, entry: { kind: 'invitation' }, ...more })
      return { username, email, ...(data as { id: number; secret: string; mailed: boolean }) }
    }

    it('mails a link by which a password is set, once', async () => {
      const { id, username, email, secret, mailed } = await invite()
      expect(mailed).toBe(true)
      expect(here.smtp.mails).toMatchObject([{ to: [email], subject: 'root invited you to Tollgate' }])
      expect(here.smtp.mails[0]?.body).toContain(`https://gate.test/invited#${secret}`)
      expect((await trail(1))[0]).toMatchObject({ action: 'user.send_invitation', object_id: String(id) })
      expect(await accept({ id, secret: 'x'.repeat(43), password: 'a good password' })).toMatchObject({
        code: 'invitation_invalid',
      })
      expect(await accept({ id, secret, password: 'short' })).toMatchObject({ code: 'password_invalid' })
      expect(await accept({ id, secret, password: 'a good password' })).toMatchObject({ success: true })
      expect((await here.site.signIn(username, 'a good password')).id).toBe(id)
      expect(await accept({ id, secret, password: 'another password' })).toMatchObject({ code: 'invitation_invalid' })
    })

    it('answers the secret where no mail is sent, and where there is no address', async () => {
      here.settings.SMTPServer = ''
      expect(await invite()).toMatchObject({ mailed: false, secret: expect.stringMatching(/^\w{43}$/) })
      const { id, secret, mailed } = await invite({ email: '' })
      expect(mailed).toBe(false)
      expect(await accept({ id, secret, password: 'a good password' })).toMatchObject({ success: true })
    })

    it('is void after seven days, and once the account has another password', async () => {
      const [late, other] = [await invite(), await invite()]
      await here.root.call('PUT', '/api/user/', { id: other.id, password: 'of an admin' })
      expect(await accept({ ...other, password: 'a good password' })).toMatchObject({ code: 'invitation_invalid' })
      here.pass(7 * 86_400)
      expect(await accept({ ...late, password: 'a good password' })).toMatchObject({ code: 'invitation_invalid' })
      here.pass(-7 * 86_400)
    })

    it('is refused for an address whose people sign in by an identity provider', async () => {
      here.site.state.requiredWays = requiring({ slug: 'acme', name: 'Acme', domain: 'example.com', organisationId: 0 })
      try {
        const { username, email } = here.fresh()
        expect(await add({ username, email, entry: { kind: 'invitation' } })).toMatchObject({ code: 'sso_required' })
        expect(await here.stored(username)).toBeUndefined()
      } finally {
        here.site.state.requiredWays = requiring(undefined)
      }
    })
  })

  describe('is refused', () => {
    it.each([
      [{ username: 'root', entry: key }, 'username_taken'],
      [{ username: '', entry: key }, 'username_invalid'],
      [{ username: 'thirteen-char', entry: key }, 'username_invalid'],
      [{ username: 'fine', email: 'nowhere', entry: key }, 'email_invalid'],
      [{ username: 'fine', group: 'gone', entry: key }, 'group_unknown'],
      [{ username: 'fine', display_name: 'x'.repeat(21), entry: key }, 'display_name_invalid'],
      [{ username: 'fine', entry: { kind: 'password', password: 'short' } }, 'password_invalid'],
      [{ username: 'fine', entry: { kind: 'password', password: 'x'.repeat(65) } }, 'password_too_long'],
      [{ username: 'fine', role: 100, entry: key }, 'invalid_parameter'],
      [{ username: 'fine', quota: -1, entry: key }, 'invalid_parameter'],
      [{ username: 'fine', budget: { amount: 0 }, entry: key }, 'invalid_parameter'],
      [{ username: 'fine', budget: { amount: 1, time_zone: 'Mars' }, entry: key }, 'invalid_parameter'],
      [{ username: 'fine' }, 'invalid_parameter'],
    ])('for %j', async (body, code) => {
      expect(await add(body)).toMatchObject({ success: false, code })
      expect(await here.stored('fine')).toBeUndefined()
    })

    it('with an address that belongs to somebody', async () => {
      const [one, two] = [here.fresh(), here.fresh()]
      await add({ ...one, entry: key })
      expect(await add({ username: two.username, email: one.email, entry: key })).toMatchObject({ code: 'email_taken' })
    })

    it('to administrators who may not make others, set balances or limits', async () => {
      const { username } = here.fresh()
      const admin = await here.site.person(here.fresh().username, 10)
      expect(await add({ username, role: 10, entry: key }, admin)).toMatchObject({ code: 'user_create_denied' })
      await here.root.call('PUT', `/api/user/${admin.id}/permissions`, { permissions: { set: 'support' } })
      for (const part of [{ quota: 5 }, { budget: { amount: 5 } }]) {
        expect(await add({ username, ...part, entry: key }, admin)).toMatchObject({ code: 'area_denied' })
      }
      expect(await add({ username, entry: key }, admin)).toMatchObject({ success: true })
    })
  })
})
