import { beforeAll, describe, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { openConsole, type SignedIn } from '../../../test/support/features/accounts.ts'
import type { Database } from '../../db/database.ts'

interface Shown {
  id: string
  user_agent: string
  ip: string
  created_time: number
  last_seen_time: number
  current: boolean
}

const minute = 60_000

describeEachEngine('the own sessions', (open) => {
  let database: Database
  let site: Awaited<ReturnType<typeof openConsole>>
  let count = 0

  beforeAll(async () => {
    database = await open()
    site = await openConsole(database)
  })

  const name = (): string => {
    count += 1
    return `sess${count}`
  }
  const listOf = async (user: SignedIn) =>
    (await user.call('GET', '/api/user/self/sessions')).json.data as unknown as Shown[]

  describe('listed', () => {
    it('show device, address and times, the latest first, and which one asks', async () => {
      const username = name()
      const first = await site.person(username, 1)
      site.state.now += 90 * minute
      const headers = { 'user-agent': 'Mozilla/5.0 (Macintosh) Firefox/140.0' }
      await site.login(username, `${username} password`, { headers, from: '203.0.113.9' })
      const [latest, own] = await listOf(first)
      expect(latest).toMatchObject({ user_agent: headers['user-agent'], ip: '203.0.113.9', current: false })
      // The very call that asks is the latest use of its session, to the minute.
      expect(own).toMatchObject({ current: true, last_seen_time: site.state.now / 1000 })
      expect(own?.created_time).toBe(site.state.now / 1000 - 90 * 60)
    })

    it('never show the cookie, nor what is stored of it', async () => {
      const user = await site.person(name(), 1)
      const answer = await user.call('GET', '/api/user/self/sessions')
      const rows = await database.query.selectFrom('sessions').selectAll().where('user_id', '=', user.id).execute()
      for (const secret of [user.cookie.replace('session=', ''), ...rows.map(({ id_hash }) => id_hash)]) {
        expect(answer.text).not.toContain(secret)
      }
      const [shown] = await listOf(user)
      expect(shown?.id).toMatch(/^[0-9a-f]{16}$/)
      const withId = { cookie: `session=${shown?.id}`, 'New-Api-User': String(user.id) }
      expect((await site.call('GET', '/api/user/self', { headers: withId })).status).toBe(401)
    })

    it('leave out those whose time is over, and those of others', async () => {
      const username = name()
      await site.person(username, 1)
      await site.person(name(), 1)
      site.state.now += 31 * 24 * 60 * minute
      expect(await listOf(await site.signIn(username, `${username} password`))).toHaveLength(1)
    })
  })

  describe('ended', () => {
    it('one by one are over at the next call', async () => {
      const username = name()
      const here = await site.person(username, 1)
      const there = await site.signIn(username, `${username} password`)
      const other = (await listOf(here)).find(({ current }) => !current)
      expect((await here.call('DELETE', `/api/user/self/sessions/${other?.id}`)).json.success).toBe(true)
      expect((await there.call('GET', '/api/user/self')).status).toBe(401)
      expect((await here.call('GET', '/api/user/self')).json.success).toBe(true)
      expect((await here.call('DELETE', `/api/user/self/sessions/${other?.id}`)).json.code).toBe('not_found')
    })

    it('all others at once leave the one that asks', async () => {
      const username = name()
      const here = await site.person(username, 1)
      const others = [1, 2, 3].map(() => site.signIn(username, `${username} password`))
      const [one] = await Promise.all(others)
      expect((await here.call('DELETE', '/api/user/self/sessions')).json.data).toEqual({ ended: 3 })
      expect((await one?.call('GET', '/api/user/self'))?.status).toBe(401)
      expect(await listOf(here)).toHaveLength(1)
    })

    it('never belong to another user', async () => {
      const victim = await site.person(name(), 1)
      const [shown] = await listOf(victim)
      const thief = await site.person(name(), 1)
      expect((await thief.call('DELETE', `/api/user/self/sessions/${shown?.id}`)).json.code).toBe('not_found')
      expect((await victim.call('GET', '/api/user/self')).json.success).toBe(true)
    })
  })

  describe('confirmed', () => {
    const state = async (user: SignedIn) => (await user.call('GET', '/api/user/self/confirm')).json.data
    const confirm = (user: SignedIn, body: unknown) => user.call('POST', '/api/user/self/confirm', body)
    const change = (user: SignedIn) => user.call('POST', '/api/user/2fa/setup')

    it('are so for ten minutes after signing in', async () => {
      const user = await site.person(name(), 1)
      expect(await state(user)).toMatchObject({ methods: ['password'], confirmed_until: site.state.now / 1000 + 600 })
      site.state.now += 10 * minute
      expect(await state(user)).toMatchObject({ methods: ['password'], confirmed_until: 0 })
    })

    it('again with the password, where there is no second factor', async () => {
      const username = name()
      const user = await site.person(username, 1)
      site.state.now += 11 * minute
      const refused = await change(user)
      expect([refused.status, refused.json.code]).toEqual([200, 'confirmation_required'])
      expect((await confirm(user, { password: 'wrong' })).json.code).toBe('original_password_wrong')
      expect((await change(user)).json.code).toBe('confirmation_required')
      expect((await confirm(user, { password: `${username} password` })).json.success).toBe(true)
      expect((await change(user)).json.success).toBe(true)
    })

    it('count for one browser only', async () => {
      const username = name()
      const here = await site.person(username, 1)
      const there = await site.signIn(username, `${username} password`)
      site.state.now += 11 * minute
      await confirm(here, { password: `${username} password` })
      expect((await change(here)).json.success).toBe(true)
      expect((await change(there)).json.code).toBe('confirmation_required')
    })

    it('are not asked to show secrets of accounts without a second factor or another way to sign in', async () => {
      const user = await site.person(name(), 1)
      site.state.now += 11 * minute
      expect((await user.call('POST', '/api/user/token')).json.success).toBe(true)
    })

    it('take no password where a second factor is set, and need one to change the password', async () => {
      const username = name()
      const user = await site.person(username, 1)
      const factor = { secret_cipher: '', confirmed_time: 1, last_step: 0, created_time: 1 }
      await database.query
        .insertInto('second_factors')
        .values({ user_id: user.id, ...factor })
        .execute()
      site.state.now += 11 * minute
      expect((await confirm(user, { password: `${username} password` })).json.code).toBe('confirmation_impossible')
      const body = { password: 'another password', original_password: `${username} password` }
      expect((await user.call('PUT', '/api/user/self', body)).json.code).toBe('confirmation_required')
      expect((await user.call('PUT', '/api/user/self', { display_name: 'Shown' })).json.success).toBe(true)
    })

    it('slow guesses of the password', async () => {
      const user = await site.person(name(), 1)
      const codes: unknown[] = []
      for (let guess = 0; guess < 7; guess += 1) codes.push((await confirm(user, { password: 'wrong' })).json.code)
      expect(codes.at(-1)).toBe('login_throttled')
    })
  })
})
