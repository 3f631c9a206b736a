import type { Binding } from '@tollgate/contract'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import {
  type AuthorizationServer,
  startAuthorizationServer,
} from '../../../test/support/features/authorization-server.ts'
import { type Browser, openThirdPartySite, type ThirdPartySite } from '../../../test/support/features/third-party.ts'

describeEachEngine('linked accounts', (open) => {
  let provider: AuthorizationServer
  let site: ThirdPartySite
  /** Users with another way to sign in. */
  const badges = new Set<number>()
  beforeAll(async () => {
    provider = await startAuthorizationServer()
    site = await openThirdPartySite(await open(), provider)
    site.accounts.signIn.addWay({
      method: 'badge',
      has: async (_, userId) => badges.has(userId),
      removeAll: async (_, userId) => void badges.delete(userId),
    })
  })
  afterAll(async () => {
    await site.close()
    await provider.close()
  })
  let people = 9000
  const newPerson = (): void => {
    people += 1
    provider.state.person = { id: people, login: `cat${people}`, name: 'Cat', sub: `sub-${people}` }
  }
  beforeEach(newPerson)

  const listOf = async (browser: Browser) => (await browser.call('GET', '/api/oauth/bindings')).json.data as Binding[]
  const unbind = (browser: Browser, name: string) => browser.call('DELETE', `/api/oauth/${name}`)

  it('are listed with their names, those of an older product too', async () => {
    const member = await site.member('lister')
    await member.go('github', 'bind')
    await site.database.query.updateTable('users').set({ wechat_id: 'wx' }).where('id', '=', member.userId).execute()
    const seconds = Math.floor(site.state.now / 1000)
    expect(await listOf(member)).toEqual([
      { provider: 'github', name: `cat${people}`, created_time: seconds, removable: true },
      { provider: 'wechat', name: 'wx', created_time: 0, removable: true },
    ])
    expect(JSON.stringify(await listOf(member))).not.toContain(`"${people}"`)
  })

  it('can be replaced and removed, and leave a trace', async () => {
    const member = await site.member('replacer')
    await member.go('github', 'bind')
    const first = people
    newPerson()
    expect((await member.go('github', 'bind')).json.message).toBe('bind')
    expect((await listOf(member)).map(({ name }) => name)).toEqual([`cat${people}`])
    expect((await unbind(member, 'github')).json).toEqual({ success: true, message: '' })
    expect(await listOf(member)).toEqual([])
    expect((await site.stored(member.userId)).github_id).toBe('')
    expect((await unbind(member, 'github')).json.message).toBe('尚未绑定')
    provider.state.person = { id: first, login: 'free again' }
    const newcomer = await site.browser().go('github')
    expect((newcomer.json.data as { id: number }).id).not.toBe(member.userId)
    const id = String(member.userId)
    const trail = await site.database.query.selectFrom('audit').select('action').where('object_id', '=', id).execute()
    expect(trail.map(({ action }) => action)).toEqual(['user.link', 'user.link', 'user.unlink'])
  })

  it('cannot all be removed from an account without a password', async () => {
    const browser = site.browser()
    await browser.go('github')
    expect(await listOf(browser)).toMatchObject([{ provider: 'github', removable: false }])
    expect((await unbind(browser, 'github')).json.code).toBe('last_sign_in')
    await browser.go('linuxdo', 'bind')
    expect((await listOf(browser)).map(({ removable }) => removable)).toEqual([true, true])
    await site.setOption('LinuxDOOAuthEnabled', 'false')
    const closed = await unbind(browser, 'github')
    await site.setOption('LinuxDOOAuthEnabled', 'true')
    expect(closed.json.code).toBe('last_sign_in')
    expect((await unbind(browser, 'github')).json.success).toBe(true)
    expect((await unbind(browser, 'linuxdo')).json.code).toBe('last_sign_in')
  })

  it('can be removed where another way to sign in opens the account', async () => {
    const browser = site.browser()
    await browser.go('github')
    badges.add(browser.userId)
    expect((await unbind(browser, 'github')).json.success).toBe(true)
  })

  it('keep one of two that are removed at the same moment', async () => {
    const browser = site.browser()
    await browser.go('github')
    await browser.go('linuxdo', 'bind')
    const answers = await Promise.all([unbind(browser, 'github'), unbind(browser, 'linuxdo')])
    expect(answers.map(({ json }) => json.success).sort()).toEqual([false, true])
    expect(await listOf(browser)).toHaveLength(1)
  })

  it('belong to one of two users who link the same one at the same moment', async () => {
    const [a, b] = [await site.member('racer1'), await site.member('racer2')]
    const answers = await Promise.all([a.go('github', 'bind'), b.go('github', 'bind')])
    expect(answers.map(({ json }) => json.message).sort()).toEqual(['bind', '该 GitHub 账户已被绑定'])
  })

  it('are changed only after a fresh verification of the session’s owner', async () => {
    const member = await site.member('stale')
    await member.go('github', 'bind')
    const before = site.state.now
    site.state.now += 24 * 3_600_000
    const removed = await unbind(member, 'github')
    const begun = await member.call('POST', '/api/oauth/linuxdo/bind')
    site.state.now = before
    expect([removed.json.code, begun.json.code]).toEqual(['confirmation_required', 'confirmation_required'])
  })

  it('of a protected account are not changed through the state of older clients either', async () => {
    const member = await site.member('guarded')
    const row = { user_id: member.userId, secret_cipher: '', confirmed_time: 1, last_step: 0, created_time: 1 }
    await site.database.query.insertInto('second_factors').values(row).execute()
    site.state.now += 24 * 3_600_000
    const { data } = (await member.call('GET', '/api/oauth/state')).json
    const query = new URLSearchParams({ client_id: 'our client', response_type: 'code', state: String(data) })
    const back = await provider.agree(`${provider.origin}/authorize?${query}`)
    const answer = await member.call('GET', `/api/oauth/github?${back.query}`)
    expect(answer.json.code).toBe('confirmation_required')
  })

  it('stay as they are on a demo site, whose accounts are shared', async () => {
    const member = await site.member('shared')
    const { data } = (await member.call('GET', '/api/oauth/state')).json
    const query = new URLSearchParams({ client_id: 'our client', response_type: 'code', state: String(data) })
    const back = await provider.agree(`${provider.origin}/authorize?${query}`)
    await site.setOption('DemoSiteEnabled', 'true')
    const answer = await member.call('GET', `/api/oauth/github?${back.query}`)
    await site.setOption('DemoSiteEnabled', 'false')
    expect([answer.status, await listOf(member)]).toEqual([405, []])
  })
})
