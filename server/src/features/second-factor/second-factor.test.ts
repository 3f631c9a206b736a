import { Secret, TOTP } from 'otpauth'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { openConsole, type SignedIn } from '../../../test/support/features/accounts.ts'
import type { TestAnswer } from '../../../test/support/http/console.ts'
import type { Database } from '../../db/database.ts'
import { newRecoveryCodes } from './codes.ts'

const step = 30_000
const minute = 60_000

describeEachEngine('the second factor', (open) => {
  let database: Database
  let site: Awaited<ReturnType<typeof openConsole>>
  let count = 0
  /** Users with another way to sign in. */
  const badges = new Set<number>()

  beforeAll(async () => {
    database = await open()
    site = await openConsole(database)
    site.accounts.signIn.addWay({
      method: 'badge',
      has: async (_, userId) => badges.has(userId),
      removeAll: async (_, userId) => void badges.delete(userId),
    })
  })

  const codeOf = (secret: string, offsetMs = 0): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: site.state.now + offsetMs })
  const cookieIn = (answer: TestAnswer): string => answer.headers.get('set-cookie')?.split(';')[0] ?? ''
  const address = (): string => {
    count += 1
    return `10.6.${Math.floor(count / 250)}.${count % 250}`
  }
  const person = (role = 1): Promise<SignedIn> => {
    count += 1
    return site.person(`two${count}`, role)
  }

  interface Protected extends SignedIn {
    readonly username: string
    readonly secret: string
    readonly codes: string[]
  }

  /** Somebody with the second factor on; a step has passed since, so that codes are fresh. */
  const guarded = async (role = 1): Promise<Protected> => {
    const user = await person(role)
    const username = `two${count}`
    const { secret } = (await user.call('POST', '/api/user/2fa/setup')).json.data as { secret: string }
    const enabled = await user.call('POST', '/api/user/2fa/enable', { code: codeOf(secret) })
    const { recovery_codes: codes } = enabled.json.data as { recovery_codes: string[] }
    site.state.now += 2 * step
    return { ...user, username, secret, codes }
  }

  const firstStep = async ({ username }: Protected): Promise<string> => {
    const answer = await site.login(username, `${username} password`, { from: address() })
    expect(answer.json.data).toEqual({ require_2fa: true })
    return cookieIn(answer)
  }
  const secondStep = (cookie: string, code: string) =>
    site.call('POST', '/api/user/login/2fa', { headers: { cookie }, body: { code }, from: address() })

  const stateOf = async (user: SignedIn) => (await user.call('GET', '/api/user/2fa/status')).json.data

  describe('setting it up', () => {
    it('changes nothing until a code proves that the authenticator works, then shows ten codes once', async () => {
      const user = await person()
      const { secret, uri } = (await user.call('POST', '/api/user/2fa/setup')).json.data as Record<string, string>
      expect(uri).toMatch(/^otpauth:\/\/totp\/Tollgate:two\d+\?issuer=Tollgate&secret=[A-Z2-7]{32}/)
      expect(await stateOf(user)).toEqual({ enabled: false, recovery_codes_left: 0, access_token: false })
      const wrong = await user.call('POST', '/api/user/2fa/enable', { code: '000000' })
      expect(wrong.json.code).toBe('second_factor_wrong')
      const right = await user.call('POST', '/api/user/2fa/enable', { code: codeOf(secret ?? '') })
      const { recovery_codes } = right.json.data as { recovery_codes: string[] }
      expect(new Set(recovery_codes).size).toBe(10)
      expect(recovery_codes[0]).toMatch(/^[2-9a-z]{5}-[2-9a-z]{5}$/)
      expect(await stateOf(user)).toMatchObject({ enabled: true, recovery_codes_left: 10 })
      expect((await user.call('POST', '/api/user/2fa/setup')).json.code).toBe('second_factor_on')
    })

    it('stores neither secret nor codes in a readable form, and writes a trail without them', async () => {
      const user = await guarded()
      const rows = await database.query.selectFrom('second_factors').selectAll().execute()
      const codes = await database.query.selectFrom('recovery_codes').selectAll().execute()
      const trail = await database.query.selectFrom('audit').selectAll().where('actor_id', '=', user.id).execute()
      const stored = JSON.stringify([rows, codes, trail])
      for (const text of [user.secret, ...user.codes]) expect(stored).not.toContain(text)
      expect(trail).toMatchObject([{ action: 'user.second_factor_on', after: '{"second_factor":"on"}' }])
    })

    it('is switched on once when many prove it at the same moment', async () => {
      const user = await person()
      const { secret } = (await user.call('POST', '/api/user/2fa/setup')).json.data as { secret: string }
      const enable = () => user.call('POST', '/api/user/2fa/enable', { code: codeOf(secret) })
      const all = await Promise.all(Array.from({ length: 6 }, enable))
      expect(all.filter(({ json }) => json.success)).toHaveLength(1)
      expect(await stateOf(user)).toMatchObject({ recovery_codes_left: 10 })
    })
  })

  describe('signing in', () => {
    it('takes a second step, and only then gives a session', async () => {
      const user = await guarded()
      const cookie = await firstStep(user)
      expect(cookie).toMatch(/^second_step=[A-Za-z0-9]{43}$/)
      const answer = await secondStep(cookie, codeOf(user.secret))
      expect(answer.json.data).toMatchObject({ id: user.id, default_password: false })
      expect(answer.headers.getSetCookie()[1]).toMatch(/^second_step=; Max-Age=0/)
      const headers = { cookie: cookieIn(answer), 'New-Api-User': String(user.id) }
      expect((await site.call('GET', '/api/user/self', { headers })).json.success).toBe(true)
    })

    it('takes it for every other way of signing in with one factor, too', async () => {
      const user = await guarded()
      const client = { ip: address(), forwarded: false, userAgent: 'x', sessionId: undefined }
      const { data, cookies } = await site.accounts.signInAs(user.id, client, 'github')
      expect([data, cookies.map(({ name }) => name)]).toEqual([{ require_2fa: true }, ['second_step']])
    })

    it.each([
      ['a step early', -step],
      ['a step late', step],
      ['with blanks', 0],
    ])('takes a code %s', async (how, offset) => {
      const user = await guarded()
      const code = codeOf(user.secret, offset)
      const typed = how === 'with blanks' ? ` ${code.slice(0, 3)} ${code.slice(3)}` : code
      expect((await secondStep(await firstStep(user), typed)).json.success).toBe(true)
    })

    it.each([
      ['a wrong code', () => '000000'],
      ['a code two steps old', (secret: string) => codeOf(secret, -2 * step)],
      ['a code two steps ahead', (secret: string) => codeOf(secret, 2 * step)],
      ['no code', () => ''],
      ['an unknown recovery code', () => newRecoveryCodes()[0] ?? ''],
    ])('refuses %s and lets the person try again', async (_, code) => {
      const user = await guarded()
      site.state.now += 5 * step
      const cookie = await firstStep(user)
      expect((await secondStep(cookie, code(user.secret))).json.code).toBe('second_factor_wrong')
      expect((await secondStep(cookie, codeOf(user.secret))).json.success).toBe(true)
    })

    it('takes a code once, also when it comes many times at once or an older one follows', async () => {
      const user = await guarded()
      const cookies = await Promise.all(Array.from({ length: 4 }, () => firstStep(user)))
      const code = codeOf(user.secret)
      const all = await Promise.all(cookies.map((cookie) => secondStep(cookie, code)))
      expect(all.filter(({ json }) => json.success)).toHaveLength(1)
      const older = await secondStep(await firstStep(user), codeOf(user.secret, -step))
      expect(older.json.success).toBe(false)
    })

    it('takes a recovery code once, whatever races, in capitals and without the dash', async () => {
      const user = await guarded()
      const [first = '', second = ''] = user.codes
      const cookies = await Promise.all(Array.from({ length: 4 }, () => firstStep(user)))
      const all = await Promise.all(cookies.map((cookie) => secondStep(cookie, first.toUpperCase())))
      expect(all.filter(({ json }) => json.success)).toHaveLength(1)
      expect((await secondStep(await firstStep(user), second.replace('-', ''))).json.success).toBe(true)
      expect(await stateOf(user)).toMatchObject({ recovery_codes_left: 8 })
    })

    it('refuses a recovery code of another user', async () => {
      const [user, other] = [await guarded(), await guarded()]
      expect((await secondStep(await firstStep(user), other.codes[0] ?? '')).json.code).toBe('second_factor_wrong')
    })

    it('starts one session for one first step', async () => {
      const user = await guarded()
      const cookie = await firstStep(user)
      expect((await secondStep(cookie, codeOf(user.secret))).json.success).toBe(true)
      site.state.now += 2 * step
      expect((await secondStep(cookie, codeOf(user.secret))).json.code).toBe('second_step_expired')
    })

    it.each([
      [
        'after five minutes',
        async () => {
          site.state.now += 5 * minute
        },
        'second_step_expired',
      ],
      [
        'after a change of the password',
        async (id: number) =>
          void (await database.query.updateTable('users').set({ password: 'other' }).where('id', '=', id).execute()),
        'second_step_expired',
      ],
      [
        'for a user who was disabled meanwhile',
        async (id: number) =>
          void (await database.query.updateTable('users').set({ status: 2 }).where('id', '=', id).execute()),
        'user_banned',
      ],
    ])('is refused %s', async (_, happen, code) => {
      const user = await guarded()
      const cookie = await firstStep(user)
      await happen(user.id)
      expect((await secondStep(cookie, codeOf(user.secret))).json.code).toBe(code)
    })

    it('needs the first step', async () => {
      const user = await guarded()
      expect((await secondStep('second_step=unknown', codeOf(user.secret))).json.code).toBe('second_step_expired')
      expect((await secondStep('', codeOf(user.secret))).json.code).toBe('second_step_expired')
    })

    it('slows guesses, on all nodes together, and forgets them after a right code', async () => {
      const user = await guarded()
      const otherNode = await openConsole(database, { throttle: site.throttle })
      otherNode.state.now = site.state.now
      const cookie = await firstStep(user)
      const guess = (node: typeof site, code: string) =>
        node.call('POST', '/api/user/login/2fa', { headers: { cookie }, body: { code }, from: address() })
      const parallel = await Promise.all(
        Array.from({ length: 12 }, (_, at) => guess(at % 2 ? site : otherNode, `00000${at % 10}`)),
      )
      expect(parallel.filter(({ json }) => json.code === 'second_factor_wrong')).toHaveLength(5)
      const refused = await guess(otherNode, codeOf(user.secret))
      expect([refused.status, refused.json.code]).toEqual([429, 'second_factor_throttled'])
      site.state.now += 2000
      expect((await guess(site, codeOf(user.secret))).json.success).toBe(true)
    })

    it('makes a stranger at one address wait longer and longer, and never the owner elsewhere', async () => {
      const user = await guarded()
      const from = address()
      const stranger = await firstStep(user)
      const guess = () =>
        site.call('POST', '/api/user/login/2fa', { headers: { cookie: stranger }, body: { code: '000000' }, from })
      const waits: number[] = []
      for (let tries = 0; tries < 12; tries += 1) {
        const answer = await guess()
        const [, seconds = '0'] = /(\d+)/.exec(String(answer.json.message)) ?? []
        if (answer.json.code !== 'second_factor_throttled') continue
        waits.push(Number(seconds))
        site.state.now += Number(seconds) * 1000
      }
      expect(waits.length).toBeGreaterThan(2)
      expect(waits).toEqual(waits.toSorted((left, right) => left - right))
      // The stranger waits still.
      for (let tries = 0; tries < 2; tries += 1) await guess()
      expect((await guess()).json.code).toBe('second_factor_throttled')
      expect((await secondStep(await firstStep(user), codeOf(user.secret))).json.success).toBe(true)
    })

    it('keeps nobody out at an address where a code was right before, wherever guesses come from', async () => {
      const user = await guarded()
      const from = address()
      const enter = async () => {
        const headers = { cookie: await firstStep(user) }
        return site.call('POST', '/api/user/login/2fa', { headers, body: { code: codeOf(user.secret) }, from })
      }
      expect((await enter()).json.success).toBe(true)
      site.state.now += 2 * step
      const cookie = await firstStep(user)
      for (let tries = 0; tries < 30; tries += 1) await secondStep(cookie, '000000')
      expect((await secondStep(cookie, '000000')).json.code).toBe('second_factor_throttled')
      expect((await enter()).json.success).toBe(true)
    })

    it('is not required for system access tokens, and the owner sees that one exists', async () => {
      const user = await guarded()
      const token = (await user.call('POST', '/api/user/token')).json.data as string
      const headers = { authorization: token, 'New-Api-User': String(user.id) }
      expect((await site.call('GET', '/api/user/self', { headers })).json.success).toBe(true)
      expect(await stateOf(user)).toMatchObject({ access_token: true })
      site.state.now += 11 * minute
      const again = await site.call('POST', '/api/user/token', { headers })
      expect(again.json.success).toBe(true)
    })
  })

  describe('giving it up', () => {
    it('takes a fresh confirmation and voids the recovery codes', async () => {
      const user = await guarded()
      site.state.now += 11 * minute
      const disable = () => user.call('POST', '/api/user/2fa/disable')
      expect((await disable()).json.code).toBe('confirmation_required')
      await user.call('POST', '/api/user/self/confirm', { code: codeOf(user.secret) })
      expect((await disable()).json.success).toBe(true)
      expect(await stateOf(user)).toMatchObject({ enabled: false, recovery_codes_left: 0 })
      const login = await site.login(user.username, `${user.username} password`, { from: address() })
      expect(login.json.data).toMatchObject({ id: user.id })
    })

    it('replaces recovery codes as a whole', async () => {
      const user = await guarded()
      const answer = await user.call('POST', '/api/user/2fa/backup_codes')
      const { recovery_codes: fresh } = answer.json.data as { recovery_codes: string[] }
      expect((await secondStep(await firstStep(user), user.codes[0] ?? '')).json.code).toBe('second_factor_wrong')
      expect((await secondStep(await firstStep(user), fresh[0] ?? '')).json.success).toBe(true)
      const without = await person()
      expect((await without.call('POST', '/api/user/2fa/backup_codes')).json.code).toBe('second_factor_off')
    })
  })

  describe('the reset by an admin', () => {
    const reset = (by: SignedIn, id: number) => by.call('POST', `/api/user/${id}/2fa/reset`)

    it('removes every factor of a user of lower role, ends the sessions and writes an audit entry', async () => {
      const admin = await person(10)
      const user = await guarded()
      badges.add(user.id)
      expect((await reset(admin, user.id)).json.success).toBe(true)
      expect((await user.call('GET', '/api/user/self')).status).toBe(401)
      const again = await site.signIn(user.username, `${user.username} password`)
      expect(await stateOf(again)).toMatchObject({ enabled: false, recovery_codes_left: 0 })
      expect(badges.has(user.id)).toBe(false)
      const trail = await database.query.selectFrom('audit').selectAll().where('actor_id', '=', admin.id).execute()
      expect(trail).toContainEqual(
        expect.objectContaining({ action: 'user.second_factor_reset', object_id: String(user.id) }),
      )
    })

    it('is refused for the same level or above, to ordinary users, and for an unknown user', async () => {
      const [admin, equal, user] = [await person(10), await guarded(10), await person()]
      expect((await reset(admin, equal.id)).json.code).toBe('user_update_denied')
      expect((await reset(user, equal.id)).json.code).toBe('permission_denied')
      expect((await reset(admin, 999_999)).json.code).toBe('user_not_found')
      expect(await stateOf(equal)).toMatchObject({ enabled: true })
    })
  })
})
