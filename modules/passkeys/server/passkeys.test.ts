import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import type { SignedIn } from '#server-test/support/features/accounts.ts'
import type { TestAnswer } from '#server-test/support/http/console.ts'
import { createAuthenticator } from '../tests/authenticator.ts'
import { openPasskeySite } from '../tests/site.ts'

const origin = 'https://gate.test'
const minute = 60_000

describeEachEngine('passkeys', (open) => {
  let database: Database
  let site: Awaited<ReturnType<typeof openPasskeySite>>
  let count = 0

  beforeAll(async () => {
    database = await open()
    site = await openPasskeySite(database)
  })

  const cookieIn = (answer: TestAnswer): string => answer.headers.get('set-cookie')?.split(';')[0] ?? ''
  const optionsIn = (answer: TestAnswer) => answer.json.data as unknown as { challenge: string; user: { id: string } }

  /** A call of a browser at the site's address, perhaps with a session and the cookie of a ceremony. */
  const browse = (
    path: string,
    options: { user?: SignedIn; cookie?: string; body?: unknown; origin?: string } = {},
  ) => {
    count += 1
    return site.call('POST', `/api/user/passkey/${path}`, {
      headers: {
        host: 'gate.test',
        origin: options.origin ?? origin,
        cookie: [options.user?.cookie, options.cookie].filter(Boolean).join('; '),
        ...(options.user ? { 'New-Api-User': String(options.user.id) } : {}),
      },
      from: `10.7.${Math.floor(count / 250)}.${count % 250}`,
      ...(options.body === undefined ? {} : { body: options.body }),
    })
  }

  const person = (): Promise<SignedIn> => {
    count += 1
    return site.person(`key${count}`, 1)
  }

  const add = async (user: SignedIn, authenticator = createAuthenticator(), name = 'Laptop') => {
    const begun = await browse('register/begin', { user })
    const answer = authenticator.create(optionsIn(begun))
    return browse('register/finish', { user, cookie: cookieIn(begun), body: { name, answer } })
  }

  const signIn = async (authenticator: ReturnType<typeof createAuthenticator>) => {
    const begun = await browse('login/begin')
    const body = { answer: authenticator.get(optionsIn(begun)) }
    return { begun, body, answer: await browse('login/finish', { cookie: cookieIn(begun), body }) }
  }

  describe('adding one', () => {
    it('takes a whole ceremony, and lists, renames and removes what was made', async () => {
      const user = await person()
      const begun = await browse('register/begin', { user })
      expect(optionsIn(begun)).toMatchObject({
        rp: { name: 'Tollgate', id: 'gate.test' },
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        attestation: 'none',
      })
      expect(begun.headers.get('set-cookie')).toMatch(/^passkey=[A-Za-z0-9]{43}; Max-Age=300; Path=\/; HttpOnly/)
      const made = await add(user)
      expect(made.json.data).toMatchObject({ name: 'Laptop', last_used_time: 0 })
      const { id } = made.json.data as { id: number }
      await user.call('PUT', `/api/user/passkey/${id}`, { name: 'Phone' })
      expect((await user.call('GET', '/api/user/passkey')).json.data).toMatchObject([{ id, name: 'Phone' }])
      expect((await user.call('DELETE', `/api/user/passkey/${id}`)).json.success).toBe(true)
      expect((await user.call('GET', '/api/user/passkey')).json.data).toEqual([])
      const trail = await database.query
        .selectFrom('audit')
        .select(['action', 'before', 'after'])
        .where('object_id', '=', String(user.id))
        .orderBy('id')
        .execute()
      expect(trail).toMatchObject([
        { action: 'user.passkey_add', after: '{"passkey_name":"Laptop"}' },
        { action: 'user.passkey_remove', before: '{"passkey_name":"Phone"}' },
      ])
    })

    it('never sends the user id to the authenticator', async () => {
      const user = await person()
      const { user: requested } = optionsIn(await browse('register/begin', { user }))
      expect(Buffer.from(requested.id, 'base64url').toString()).not.toContain(String(user.id))
      expect(Buffer.from(requested.id, 'base64url')).toHaveLength(32)
    })

    it('refuses the same credential again, for every user', async () => {
      const authenticator = createAuthenticator()
      await add(await person(), authenticator)
      expect((await add(await person(), authenticator)).json.code).toBe('passkey_taken')
    })

    it.each([
      ['another site', { origin: 'https://evil.test' }],
      ['another relying party', { rpId: 'evil.test' }],
      ['missing user verification', { verified: false }],
    ])('refuses an answer of %s', async (_, settings) => {
      const user = await person()
      expect((await add(user, createAuthenticator(settings))).json.code).toBe('passkey_failed')
      expect((await user.call('GET', '/api/user/passkey')).json.data).toEqual([])
    })

    it('takes an answer once, in the browser session that began, and in time', async () => {
      const user = await person()
      const other = await person()
      const begun = await browse('register/begin', { user })
      const body = { name: 'Key', answer: createAuthenticator().create(optionsIn(begun)) }
      const finish = (by: SignedIn, cookie = cookieIn(begun)) => browse('register/finish', { user: by, cookie, body })
      expect((await finish(other)).json.code).toBe('passkey_failed')
      expect((await finish(user, 'passkey=unknown')).json.code).toBe('passkey_failed')
      expect((await finish(user)).json.success).toBe(true)
      expect((await finish(user)).json.code).toBe('passkey_failed')
      const late = await browse('register/begin', { user })
      const answer = createAuthenticator().create(optionsIn(late))
      site.state.now += 6 * minute
      const tooLate = await browse('register/finish', { user, cookie: cookieIn(late), body: { name: 'Late', answer } })
      expect(tooLate.json.code).toBe('passkey_failed')
    })

    it('asks a session that proved nothing lately to confirm first, and never takes an access token', async () => {
      const user = await person()
      const token = (await user.call('POST', '/api/user/token')).json.data as string
      site.state.now += 11 * minute
      const refused = await browse('register/begin', { user })
      expect([refused.status, refused.json.code]).toEqual([200, 'confirmation_required'])
      const headers = { authorization: token, 'New-Api-User': String(user.id) }
      const withToken = await site.call('POST', '/api/user/passkey/register/begin', { headers })
      expect(withToken.json.code).toBe('access_token_not_supported')
    })

    it('leaves the passkeys of others alone', async () => {
      const owner = await person()
      const { id } = (await add(owner)).json.data as { id: number }
      const other = await person()
      expect((await other.call('PUT', `/api/user/passkey/${id}`, { name: 'Mine' })).json.code).toBe('not_found')
      expect((await other.call('DELETE', `/api/user/passkey/${id}`)).json.code).toBe('not_found')
      expect((await owner.call('GET', '/api/user/passkey')).json.data).toMatchObject([{ name: 'Laptop' }])
    })
  })

  describe('signing in with one', () => {
    it('names no user in the challenge, answers the user and starts a session, even where a second factor is set', async () => {
      const user = await person()
      const authenticator = createAuthenticator()
      await add(user, authenticator)
      const factor = { secret_cipher: '', confirmed_time: 1, last_step: 0, created_time: 1 }
      await database.query
        .insertInto('second_factors')
        .values({ user_id: user.id, ...factor })
        .execute()
      authenticator.settings.counter = 1
      const { begun, answer } = await signIn(authenticator)
      expect(optionsIn(begun)).toMatchObject({ rpId: 'gate.test', userVerification: 'required', allowCredentials: [] })
      expect(answer.json.data).toMatchObject({ id: user.id, default_password: false })
      const headers = { cookie: cookieIn(answer), 'New-Api-User': String(user.id) }
      expect((await site.call('GET', '/api/user/self', { headers })).json.success).toBe(true)
      const [row] = (await user.call('GET', '/api/user/passkey')).json.data as { last_used_time: number }[]
      expect(row?.last_used_time).toBe(Math.floor(site.state.now / 1000))
    })

    it('refuses another site, missing user verification, and an unknown passkey', async () => {
      const authenticator = createAuthenticator()
      await add(await person(), authenticator)
      const code = async (settings: Partial<typeof authenticator.settings>) => {
        Object.assign(authenticator.settings, { origin, rpId: 'gate.test', verified: true }, settings)
        return (await signIn(authenticator)).answer.json.code
      }
      expect(await code({ origin: 'https://evil.test' })).toBe('passkey_failed')
      expect(await code({ rpId: 'evil.test' })).toBe('passkey_failed')
      expect(await code({ verified: false })).toBe('passkey_failed')
      expect(await code({})).toBeUndefined()
      expect((await signIn(createAuthenticator())).answer.json.code).toBe('passkey_unknown')
    })

    it('takes an answer once, and only in the browser that asked', async () => {
      const authenticator = createAuthenticator()
      await add(await person(), authenticator)
      const { begun, body } = await signIn(authenticator)
      expect((await browse('login/finish', { cookie: cookieIn(begun), body })).json.code).toBe('passkey_failed')
      const fresh = await browse('login/begin')
      const answer = authenticator.get(optionsIn(fresh))
      expect((await browse('login/finish', { body: { answer } })).json.code).toBe('passkey_failed')
    })

    it('has one winner when the same answer comes many times at once', async () => {
      const authenticator = createAuthenticator()
      await add(await person(), authenticator)
      const begun = await browse('login/begin')
      const body = { answer: authenticator.get(optionsIn(begun)) }
      const all = await Promise.all(
        Array.from({ length: 8 }, () => browse('login/finish', { cookie: cookieIn(begun), body })),
      )
      expect(all.filter(({ json }) => json.success)).toHaveLength(1)
    })

    it('refuses a counter that went back: the key was copied', async () => {
      const authenticator = createAuthenticator({ counter: 5 })
      await add(await person(), authenticator)
      const code = async (counter: number) => {
        authenticator.settings.counter = counter
        return (await signIn(authenticator)).answer.json.code
      }
      expect(await code(6)).toBeUndefined()
      expect(await code(6)).toBe('passkey_failed')
      expect(await code(3)).toBe('passkey_failed')
      expect(await code(7)).toBeUndefined()
    })

    it.each([
      ['disabled', { status: 2 }, 'user_banned'],
      ['cancelled', { deleted_at: 1 }, 'user_cancelled'],
    ])('refuses a %s user', async (_, change, code) => {
      const user = await person()
      const authenticator = createAuthenticator()
      await add(user, authenticator)
      await database.query.updateTable('users').set(change).where('id', '=', user.id).execute()
      const { answer } = await signIn(authenticator)
      expect([answer.json.code, cookieIn(answer)]).toEqual([code, ''])
    })
  })

  describe('the address', () => {
    it('is the option where it is set, and pages elsewhere are sent there', async () => {
      site.address.value = 'https://gate.example:8443/console'
      const headers = { host: 'gate.example:8443', origin: 'https://gate.example:8443' }
      const there = await site.call('POST', '/api/user/passkey/login/begin', { headers })
      const elsewhere = await browse('login/begin')
      site.address.value = ''
      expect(optionsIn(there)).toMatchObject({ rpId: 'gate.example' })
      expect(elsewhere.json.message).toBe('当前访问地址无法使用通行密钥，请通过 https://gate.example:8443 访问')
    })

    it('is else the page’s own, if its host is the one that was called and browsers allow passkeys there', async () => {
      expect((await browse('login/begin', { origin: 'https://evil.test' })).json.code).toBe('cross_origin')
      expect((await browse('login/begin', { origin: 'http://gate.test' })).json.code).toBe('passkey_insecure')
      const headers = { host: 'localhost:3000', origin: 'http://localhost:3000' }
      const local = await site.call('POST', '/api/user/passkey/login/begin', { headers })
      expect(optionsIn(local)).toMatchObject({ rpId: 'localhost' })
      const byNumber = { host: '10.1.2.3', origin: 'https://10.1.2.3' }
      const refused = await site.call('POST', '/api/user/passkey/login/begin', { headers: byNumber })
      expect(refused.json.code).toBe('passkey_insecure')
    })
  })

  describe('confirming with one', () => {
    const confirm = async (user: SignedIn, authenticator: ReturnType<typeof createAuthenticator>) => {
      const begun = await browse('verify/begin', { user })
      const body = { answer: authenticator.get(optionsIn(begun)) }
      return browse('verify/finish', { user, cookie: cookieIn(begun), body })
    }

    it('opens for ten minutes what asks for it', async () => {
      const user = await person()
      const authenticator = createAuthenticator()
      await add(user, authenticator)
      site.state.now += 11 * minute
      const { data } = (await user.call('GET', '/api/user/self/confirm')).json
      expect(data).toMatchObject({ methods: ['passkey', 'password'], confirmed_until: 0 })
      const makeToken = () => user.call('POST', '/api/user/token')
      expect((await makeToken()).json.code).toBe('confirmation_required')
      expect((await confirm(user, authenticator)).json.success).toBe(true)
      expect((await makeToken()).json.success).toBe(true)
      site.state.now += 10 * minute
      expect((await makeToken()).json.code).toBe('confirmation_required')
    })

    it('takes only own passkeys', async () => {
      const stranger = createAuthenticator()
      await add(await person(), stranger)
      const user = await person()
      await add(user)
      site.state.now += 11 * minute
      expect((await confirm(user, stranger)).json.code).toBe('passkey_unknown')
      expect((await user.call('POST', '/api/user/token')).json.code).toBe('confirmation_required')
    })
  })

  it('go with the second factor that an administrator resets', async () => {
    const admin = await site.person('keyadmin', 10)
    const user = await person()
    const authenticator = createAuthenticator()
    await add(user, authenticator)
    expect((await admin.call('POST', `/api/user/${user.id}/2fa/reset`)).json.success).toBe(true)
    expect((await signIn(authenticator)).answer.json.code).toBe('passkey_unknown')
  })
})
