import { role } from '@tollgate/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { withSession } from '../../test/rights/calls.ts'
import { codeOf, openNorthwind } from '../../test/rights/organisations/northwind.ts'
import type { Person } from '../../test/rights/people.ts'
import { verifyLedger } from '../ledger/verify/verify.ts'

/** The money of an organisation through the whole product: its wallet, its caps and fences, and who is told what was spent. */

const { site, people, owner, upstreamUrl, at, ask, done, join, someone, call, close } = await openNorthwind()
afterAll(close)

describe('money of an organisation', () => {
  it('moves between wallets once, and never below nothing', async () => {
    const before = (await done(owner, 'GET', `${at.organisation}`)).balance as unknown as number
    const transfer = (direction: string, amount: number, transfer_id: string) =>
      codeOf(ask(owner, 'POST', `${at.organisation}/transfer`, { direction, amount, transfer_id }))
    expect(await transfer('in', 400_000, 'transfer-a')).toBeUndefined()
    expect(await transfer('in', 400_000, 'transfer-a')).toBeUndefined()
    expect(await transfer('out', 900_000, 'transfer-b')).toBe('balance_too_small')
    expect(await transfer('in', 9_000_000, 'transfer-c')).toBe('balance_too_small')
    expect(await done(owner, 'GET', `${at.organisation}`)).toMatchObject({ balance: before + 400_000 })
    // People of this test have their balance without an opening entry.
    const { differences } = await verifyLedger(site.database)
    expect(differences.filter(({ account, what }) => account === 'cap' || what.includes('missing'))).toEqual([])
  })

  it('is spent by keys within caps, fences and membership, from the next call on', async () => {
    const member = someone('member')
    const body = { name: 'k', unlimited_quota: true, project_id: at.project, member_id: member.id }
    const made = await done(member, 'POST', `${at.organisation}/keys`, { ...body, tags: { cost_centre: '7' } })
    expect(made.tags).toEqual({ cost_centre: '7' })
    const code = async (): Promise<string> => {
      const { json } = (await call(String(made.key))) as unknown as { json: { error?: { code: string; type: string } } }
      return json.error === undefined ? 'answered' : json.error.code || json.error.type
    }
    const cap = (amount: number | null) =>
      done(owner, 'PUT', `${at.organisation}/cap`, { subject: 'member', subject_id: member.id, amount })
    const free = 'answered'
    expect(await code()).toBe(free)
    const counting = (person: Person) => ask(person, 'GET', `${at.organisation}/keys/limits?key=${made.id}`)
    expect((await counting(member)).json).toMatchObject({ success: true, data: [] })
    expect(await codeOf(counting(someone('viewer')))).toBe('not_found')
    await cap(0)
    expect(await code()).toBe('spend_cap_reached')
    await cap(900_000)
    expect(await code()).toBe(free)
    const models = (names: string[]) => ({
      project_id: at.project,
      team_id: at.team,
      name: 'billing-api',
      models: names,
    })
    await done(owner, 'PUT', `${at.organisation}/project`, models(['claude-opus']))
    expect(await code()).not.toBe(free)
    await done(owner, 'PUT', `${at.organisation}/project`, models([]))
    expect(await code()).toBe(free)
    const spent = { project_id: at.project, member_id: member.id, tag: '7', count: 3 }
    await expect
      .poll(() => done(owner, 'GET', `${at.organisation}/spend?tag=cost_centre`))
      .toEqual([{ ...spent, quota: expect.any(Number) }])
    const log = async (person: Person): Promise<number> =>
      ((await done(person, 'GET', `${at.organisation}/log?project_id=${at.project}`)) as unknown as { total: number })
        .total
    // The refused calls stand there, too.
    await expect.poll(() => log(owner)).toBe(5)
    expect([await log(member), await log(someone('billing'))]).toEqual([5, 5])
    expect([await log(someone('viewer')), await log(someone('team member'))]).toEqual([0, 0])
    const seen = await done(owner, 'GET', `${at.organisation}`)
    const [row] = (seen.members as unknown as { user_id: number; spent: number; cap: object }[]).filter(
      ({ user_id }) => user_id === member.id,
    )
    // The first call was answered before there was a cap.
    const spentSince = (Number(seen.spent) * 2) / 3
    expect(row).toMatchObject({ spent: seen.spent, cap: { amount: 900_000, spent: spentSince } })
    await done(owner, 'POST', `${at.organisation}/member/remove`, { user_id: member.id })
    expect((await call(String(made.key))).status).toBe(401)
    expect(await codeOf(ask(member, 'GET', `${at.organisation}`))).toBe('not_found')
  })

  it('goes through the channels that the site lets it use, and no project sees them', async () => {
    const root = await people.make(role.root)
    const site_ = `site/${at.organisation}/fences`
    const channel = {
      type: 1,
      name: 'eu',
      key: 'sk-eu',
      models: 'gpt-4o,only-eu',
      group: 'default',
      tag: 'eu',
      base_url: upstreamUrl,
    }
    await site.ask({ method: 'POST', path: '/api/channel/', headers: withSession(root), body: channel })
    const key = { name: 'fenced', unlimited_quota: true, project_id: at.project, member_id: 0 }
    const made = String((await done(owner, 'POST', `${at.organisation}/keys`, key)).key)
    const fence = (subject: string, subject_id: number | undefined, more: object) =>
      done(root, 'PUT', site_, { subject, subject_id, ...more })
    const models = async (): Promise<string[]> => {
      const answer = await site.ask({
        method: 'GET',
        path: '/v1/models',
        headers: { authorization: `Bearer sk-${made}` },
      })
      return (answer.json.data as { id: string }[]).map(({ id }) => id)
    }
    await expect.poll(models).toEqual(['gpt-4o', 'only-eu'])
    await fence('organisation', 0, { channels: [at.channel] })
    await fence('project', at.project, { channels: [at.channel, 999] })
    expect(await done(root, 'GET', site_)).toEqual([
      { subject: 'organisation', subject_id: 0, channels: [at.channel], tags: [] },
      { subject: 'project', subject_id: at.project, channels: [at.channel, 999], tags: [] },
    ])
    await expect.poll(models).toEqual(['gpt-4o'])
    expect((await call(made)).status).toBe(200)
    await fence('team', at.team, { tags: ['eu'] })
    // Organisation and team have no channel in common.
    await expect.poll(models).toEqual([])
    expect((await call(made)).status).toBe(503)
    await fence('organisation', 0, {})
    await fence('project', at.project, {})
    await expect.poll(models).toEqual(['gpt-4o', 'only-eu'])
    expect((await call(made)).status).toBe(200)
    await expect
      .poll(async () => {
        const rows = await site.database.query
          .selectFrom('logs')
          .select(['channel_id', 'type'])
          .where('token_name', '=', 'fenced')
          .execute()
        return rows.filter(({ type }) => type === 2).map(({ channel_id }) => channel_id === at.channel)
      })
      .toEqual([true, false])
    await fence('team', at.team, {})
    expect(await done(root, 'GET', site_)).toEqual([])
    expect((await ask(owner, 'GET', `${at.organisation}`)).text).not.toMatch(/"channels?"/)
    expect(await codeOf(ask(owner, 'GET', site_))).toBe('permission_denied')
    await done(owner, 'PUT', `${at.organisation}`, { name: 'Northwind', domain: '', models: ['only-eu'] })
    expect((await call(made)).status).toBe(403)
    await done(owner, 'PUT', `${at.organisation}`, { name: 'Northwind', domain: '', models: [] })
  })

  it('stays with the project in which it was spent when a key moves', async () => {
    const key = { name: 'moving', unlimited_quota: false, remain_quota: 5000, project_id: at.project }
    const made = await done(owner, 'POST', `${at.organisation}/keys`, { ...key, member_id: 0, tags: { run: '4' } })
    const secret = String(made.key)
    expect((await call(secret)).status).toBe(200)
    const move = { key_id: made.id, project_id: at.otherProject }
    expect(await codeOf(ask(someone('viewer'), 'POST', `${at.organisation}/keys/move`, move))).toBe('not_found')
    const moved = await done(owner, 'POST', `${at.organisation}/keys/move`, move)
    expect((await call(secret)).status).toBe(200)
    expect((await call(secret)).status).toBe(200)
    const spent = async (): Promise<object[]> =>
      ((await done(owner, 'GET', `${at.organisation}/spend?tag=run`)) as unknown as { tag: string; quota: number }[])
        .filter(({ tag }) => tag === '4')
        .map(({ quota: _, ...row }) => row)
    const row = { member_id: 0, tag: '4' }
    await expect.poll(spent).toEqual([
      { ...row, project_id: at.project, count: 1 },
      { ...row, project_id: at.otherProject, count: 2 },
    ])
    const quotaOf = async (id: unknown) =>
      site.database.query
        .selectFrom('tokens')
        .select(['remain_quota', 'used_quota'])
        .where('id', '=', Number(id))
        .executeTakeFirstOrThrow()
    const [before, after] = [await quotaOf(made.id), await quotaOf(moved.id)]
    expect([before.remain_quota, after.remain_quota]).toEqual([0, 5000 - before.used_quota - after.used_quota])
    expect(after.used_quota).toBe(2 * before.used_quota)
    const { differences } = await verifyLedger(site.database)
    const ofKeys = [Number(made.id), Number(moved.id)]
    // Keys of people of this test have their quota without an opening entry.
    expect(
      differences.filter(({ account, id }) => account === 'cap' || (account === 'token' && ofKeys.includes(id))),
    ).toEqual([])
    // A key moves on, and its earlier number is gone.
    expect(await codeOf(ask(owner, 'POST', `${at.organisation}/keys/move`, move))).toBe('not_found')
    await done(owner, 'POST', `${at.organisation}/keys/move`, { key_id: moved.id, project_id: at.project })
    expect((await call(secret)).status).toBe(200)
  })

  it('is stated by month, project, member and tag in the time zone of the organisation', async () => {
    await done(owner, 'PUT', `${at.organisation}`, { name: 'Northwind', domain: '', time_zone: 'Asia/Shanghai' })
    type Sums = { quota: number; count: number }
    type Stated = { opening: number; closing: number; movements: { amount: number }[]; charges: Sums }
    type Grouped = Record<'projects' | 'members' | 'models', (Sums & { project_id: number })[]>
    const stated = async (person: Person) =>
      (await done(person, 'GET', `${at.organisation}/statement`)) as unknown as Stated & Grouped & { zone: string }
    const all = await stated(owner)
    expect(all.zone).toBe('Asia/Shanghai')
    for (const part of ['projects', 'members', 'models'] as const) {
      const sums = all[part].reduce((sum, one) => ({ quota: sum.quota + one.quota, count: sum.count + one.count }), {
        quota: 0,
        count: 0,
      })
      expect([part, sums]).toEqual([part, { quota: all.charges.quota, count: all.charges.count }])
    }
    const moved = all.movements.reduce((sum, { amount }) => sum + amount, 0)
    expect(all.opening + moved - all.charges.quota).toBe(all.closing)
    expect(await stated(someone('billing'))).toEqual(all)
    expect(await stated(someone('viewer'))).toMatchObject({ opening: null, closing: null, movements: [], projects: [] })
    const file = await ask(owner, 'GET', `${at.organisation}/statement/export`)
    expect(file.text).toContain('charges_by_tag,run=4,')
    expect(file.text).toContain(`charges_by_project,papers (#${at.otherProject}),2,`)
    expect(
      await codeOf(ask(owner, 'PUT', `${at.organisation}`, { name: 'N', domain: '', time_zone: 'Mars/Base' })),
    ).toBe('invalid_parameter')
  })

  it('pays for own keys of members, who are told by whom', async () => {
    const member = await join('payer', 'member')
    const self = async (person: Person) =>
      (await site.ask({ method: 'GET', path: '/api/organisation/self', headers: withSession(person) })).json.data
    const places = { organisation_id: at.organisation, organisation: 'Northwind' }
    const own = async (person: Person) => {
      const { payers, keys } = (await self(person)) as Record<'payers' | 'keys', { organisation_id: number }[]>
      const here = <T extends { organisation_id: number }>(list: T[]) =>
        list.filter(({ organisation_id }) => organisation_id === at.organisation)
      return { payers: here(payers), keys: here(keys) }
    }
    const { payers } = await own(member)
    expect(payers).toContainEqual({ ...places, project_id: at.project, project: 'billing-api', team: 'Platform' })
    const key = { name: 'mine', unlimited_quota: true, project_id: at.project, member_id: member.id }
    await done(member, 'POST', `${at.organisation}/keys`, key)
    expect(await own(member)).toMatchObject({ keys: [{ ...places, name: 'mine', project: 'billing-api' }] })
    expect(await own(someone('viewer'))).toEqual({ payers: [], keys: [] })
  })

  it('has an owner for ever', async () => {
    expect(await codeOf(ask(owner, 'POST', `${at.organisation}/member/remove`, { user_id: owner.id }))).toBe(
      'organisation_owner_needed',
    )
  })

  it('is nobody who could sign in', async () => {
    const wallet = await site.database.query
      .selectFrom('organisations')
      .select('wallet_user_id as id')
      .where('id', '=', at.organisation ?? 0)
      .executeTakeFirstOrThrow()
    const hash = site.secrets.digest('access_token', 'a stolen token')
    await site.database.query
      .updateTable('users')
      .set({ access_token_hash: hash })
      .where('id', '=', wallet.id)
      .execute()
    const headers = { authorization: 'Bearer a stolen token', 'new-api-user': String(wallet.id) }
    const answer = await site.ask({ method: 'GET', path: '/api/user/self', headers })
    expect(answer.json.code).toBe('access_token_invalid')
  })
})
