import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { role } from '@tollgate/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withSession } from '../../test/rights/calls.ts'
import { createPeople, type People, type Person } from '../../test/rights/people.ts'
import { type Answer, openRightsSite, type RightsSite } from '../../test/rights/site.ts'
import { verifyLedger } from '../ledger/verify/verify.ts'

/** Organisations through the whole product: what each role may do, and that nothing of another organisation is in reach. */

const answerText = JSON.stringify({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
})
const upstream = createServer((_, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(answerText)
})

// A busy machine may take seconds between two calls, and a connection must not close under the second.
upstream.keepAliveTimeout = 600_000

let site: RightsSite
let people: People
let owner: Person
let stranger: Person
let base_url: string
const at: Record<string, number> = {}
const members: Record<string, Person> = {}

const ask = (person: Person, method: string, path: string, body?: unknown): Promise<Answer> =>
  site.ask({ method, path: `/api/organisation/${path}`, headers: withSession(person), ...(body ? { body } : {}) })

const done = async (person: Person, method: string, path: string, body?: unknown): Promise<Record<string, never>> => {
  const answer = await ask(person, method, path, body)
  expect([path, answer.json.success, answer.json.code]).toEqual([path, true, undefined])
  return (answer.json.data ?? {}) as Record<string, never>
}
const idOf = async (answer: Promise<Record<string, never>>): Promise<number> => Number((await answer).id)
const codeOf = async (answer: Promise<Answer>): Promise<string | undefined> => (await answer).json.code

const join = async (label: string, memberRole: string, teamId = 0): Promise<Person> => {
  const person = await people.make(role.user)
  const body = { team_id: teamId, role: memberRole }
  const { secret } = await done(owner, 'POST', `${at.organisation}/invitations`, body)
  await done(person, 'POST', 'invitation/accept', { secret })
  members[label] = person
  return person
}

const call = (key: string): Promise<Answer> =>
  site.ask({
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer sk-${key}` },
    body: { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] },
  })

beforeAll(async () => {
  site = await openRightsSite()
  people = createPeople(site)
  const root = await people.make(role.root)
  const option = { method: 'PUT', path: '/api/option/', headers: withSession(root) }
  await once(upstream.listen(0, '127.0.0.1'), 'listening')
  base_url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
  const channel = { type: 1, name: 'c', key: 'sk-c', models: 'gpt-4o', group: 'default', base_url }
  const added = await site.ask({ ...option, method: 'POST', path: '/api/channel/', body: channel })
  expect(added.json.success).toBe(true)
  at.channel = (
    await site.database.query.selectFrom('channels').select('id').where('name', '=', 'c').executeTakeFirstOrThrow()
  ).id
  owner = await people.make(role.user)
  expect(await codeOf(ask(owner, 'POST', '', { name: 'Northwind' }))).toBe('organisations_closed')
  await site.ask({ ...option, body: { key: 'OrganisationsEnabled', value: 'true' } })
  stranger = await people.make(role.user)
  at.organisation = await idOf(done(owner, 'POST', '', { name: 'Northwind' }))
  at.team = await idOf(done(owner, 'PUT', `${at.organisation}/team`, { team_id: 0, name: 'Platform' }))
  at.otherTeam = await idOf(done(owner, 'PUT', `${at.organisation}/team`, { team_id: 0, name: 'Research' }))
  const project = (name: string, teamId: number | undefined) =>
    idOf(done(owner, 'PUT', `${at.organisation}/project`, { project_id: 0, team_id: teamId, name }))
  at.project = await project('billing-api', at.team)
  at.otherProject = await project('papers', at.otherTeam)
  for (const name of ['admin', 'billing', 'member', 'viewer']) await join(name, name)
  await join('team admin', 'admin', at.team)
  await join('team member', 'member', at.team)
}, 60_000)
afterAll(async () => {
  await site?.close()
  upstream.close()
})

const someone = (label: string): Person => (label === 'owner' ? owner : (members[label] ?? expect.fail(label)))

describe('roles of an organisation', () => {
  const own = { name: 'k', unlimited_quota: true }
  const actions: Record<string, (person: Person) => Promise<Answer>> = {
    'make a team': (person) => ask(person, 'PUT', `${at.organisation}/team`, { team_id: 0, name: 'T' }),
    'make a project of a team': (person) =>
      ask(person, 'PUT', `${at.organisation}/project`, { project_id: 0, team_id: at.team, name: 'P' }),
    'make a key for oneself': (person) =>
      ask(person, 'POST', `${at.organisation}/keys`, { ...own, project_id: at.project, member_id: person.id }),
    'make a key for a machine': (person) =>
      ask(person, 'POST', `${at.organisation}/keys`, { ...own, project_id: at.project, member_id: 0 }),
    'make a key in another team': (person) =>
      ask(person, 'POST', `${at.organisation}/keys`, { ...own, project_id: at.otherProject, member_id: person.id }),
    'invite a member': (person) =>
      ask(person, 'POST', `${at.organisation}/invitations`, { team_id: 0, role: 'member' }),
    'invite a member into a team': (person) =>
      ask(person, 'POST', `${at.organisation}/invitations`, { team_id: at.team, role: 'member' }),
    'list invitations': (person) => ask(person, 'GET', `${at.organisation}/invitations`),
    'invite an owner': (person) => ask(person, 'POST', `${at.organisation}/invitations`, { team_id: 0, role: 'owner' }),
    'cap a member': (person) =>
      ask(person, 'PUT', `${at.organisation}/cap`, { subject: 'member', subject_id: owner.id, amount: 900_000 }),
    'pay in': (person) =>
      ask(person, 'POST', `${at.organisation}/transfer`, { direction: 'in', amount: 5, transfer_id: 'matrix-in' }),
    'take out': (person) =>
      ask(person, 'POST', `${at.organisation}/transfer`, { direction: 'out', amount: 1, transfer_id: 'matrix-out' }),
    rename: (person) => ask(person, 'PUT', `${at.organisation}`, { name: 'Northwind', domain: '' }),
  }
  const allowed: Record<string, readonly string[]> = {
    'make a team': ['owner', 'admin'],
    'make a project of a team': ['owner', 'admin', 'team admin'],
    'make a key for oneself': ['owner', 'admin', 'member', 'team admin', 'team member'],
    'make a key for a machine': ['owner', 'admin', 'team admin'],
    'make a key in another team': ['owner', 'admin', 'member'],
    'invite a member': ['owner', 'admin'],
    'invite a member into a team': ['owner', 'admin', 'team admin'],
    'list invitations': ['owner', 'admin', 'team admin'],
    'invite an owner': ['owner'],
    'cap a member': ['owner', 'admin', 'billing'],
    'pay in': ['owner', 'billing'],
    'take out': ['owner'],
    rename: ['owner'],
  }
  it.each(Object.keys(allowed))('%s', async (action) => {
    const labels = ['owner', 'admin', 'billing', 'member', 'viewer', 'team admin', 'team member']
    const let_in: string[] = []
    for (const label of labels) {
      const answer = await actions[action]?.(someone(label))
      if (answer?.json.success) let_in.push(label)
      else
        expect([label, answer?.json.code]).toEqual([label, expect.stringMatching(/organisation_role_denied|not_found/)])
    }
    expect(let_in).toEqual(allowed[action])
    expect(await codeOf(actions[action]?.(stranger) ?? expect.fail(action))).toBe('not_found')
  })
})

describe('things of another organisation', () => {
  it('are not found under the number of an own one', async () => {
    const { organisationId: mine } = stranger
    const key = { name: 'k', unlimited_quota: true }
    const theirKey = await done(owner, 'POST', `${at.organisation}/keys`, {
      ...key,
      project_id: at.project,
      member_id: 0,
    })
    const invitation = await done(owner, 'POST', `${at.organisation}/invitations`, { team_id: 0, role: 'viewer' })
    expect(invitation.secret).toMatch(/^\w{43}$/)
    const listed = await done(owner, 'GET', `${at.organisation}/invitations`)
    const [theirs] = listed as unknown as { id: number }[]
    const attempts: [string, string, object][] = [
      ['PUT', 'team', { team_id: at.team, name: 'taken' }],
      ['PUT', 'project', { project_id: at.project, team_id: at.team, name: 'taken' }],
      ['PUT', 'project', { project_id: 0, team_id: at.team, name: 'inside' }],
      ['PUT', 'member', { user_id: owner.id, team_id: 0, role: 'viewer' }],
      ['PUT', 'member', { user_id: stranger.id, team_id: at.team, role: 'admin' }],
      ['POST', 'member/remove', { user_id: owner.id }],
      ['PUT', 'cap', { subject: 'project', subject_id: at.project, amount: 1 }],
      ['PUT', 'cap', { subject: 'member', subject_id: owner.id, amount: 1 }],
      ['POST', 'keys', { ...key, project_id: at.project, member_id: 0 }],
      ['PUT', 'keys', { key_id: theirKey.id, deleted: true }],
      ['POST', 'invitations', { team_id: at.team, role: 'admin' }],
      ['POST', 'invitations/revoke', { invitation_id: theirs?.id }],
    ]
    for (const [method, path, body] of attempts)
      expect([path, await codeOf(ask(stranger, method, `${mine}/${path}`, body))]).toEqual([path, 'not_found'])
    expect(await codeOf(ask(stranger, 'GET', `${mine}/keys/limits?key=${theirKey.id}`))).toBe('not_found')
    const log = await done(stranger, 'GET', `${mine}/log?project_id=${at.project}&member_id=${owner.id}`)
    expect(log.items).toEqual([])
    expect(await done(stranger, 'GET', `${mine}/spend`)).toEqual([])
    expect((await ask(stranger, 'GET', `${mine}`)).text).not.toContain('Northwind')
  })

  it('are not an admin’s of a team beside theirs: invitations are read and taken back in the own team alone', async () => {
    const lead = someone('team admin')
    const invite = async (team_id: number) => {
      await done(owner, 'POST', `${at.organisation}/invitations`, { team_id, role: 'viewer' })
      const [latest] = (await done(owner, 'GET', `${at.organisation}/invitations`)) as unknown as { id: number }[]
      return latest?.id
    }
    const [whole, beside, own] = [await invite(0), await invite(Number(at.otherTeam)), await invite(Number(at.team))]
    const listed = (await done(lead, 'GET', `${at.organisation}/invitations`)) as unknown as { team_id: number }[]
    expect(new Set(listed.map(({ team_id }) => team_id))).toEqual(new Set([at.team]))
    const revoke = (id: number | undefined) =>
      codeOf(ask(lead, 'POST', `${at.organisation}/invitations/revoke`, { invitation_id: id }))
    expect([await revoke(whole), await revoke(beside), await revoke(own)]).toEqual([
      'not_found',
      'not_found',
      undefined,
    ])
    const refused = { team_id: at.otherTeam, role: 'viewer' }
    expect(await codeOf(ask(lead, 'POST', `${at.organisation}/invitations`, refused))).toBe('not_found')
    for (const role of ['owner', 'billing'])
      expect(await codeOf(ask(lead, 'POST', `${at.organisation}/invitations`, { team_id: at.team, role }))).toBe(
        'organisation_role_denied',
      )
  })

  it('are not shown to members of a team beside theirs', async () => {
    const text = (await ask(someone('team member'), 'GET', `${at.organisation}`)).text
    expect(text).toContain('billing-api')
    expect(text).not.toContain('papers')
    expect(text).not.toContain('Research')
  })
})

describe('the link of an invitation', () => {
  const secretOf = async (body: object = {}): Promise<string> => {
    const invitation = { team_id: 0, role: 'viewer', ...body }
    return String((await done(owner, 'POST', `${at.organisation}/invitations`, invitation)).secret)
  }
  const use = (person: Person, secret: string) => codeOf(ask(person, 'POST', 'invitation/accept', { secret }))
  const show = (secret: string) =>
    codeOf(site.ask({ method: 'POST', path: '/api/organisation/invitation', body: { secret } }))

  it('works once', async () => {
    const secret = await secretOf()
    expect(await show(secret)).toBeUndefined()
    expect(await use(await people.make(role.user), secret)).toBeUndefined()
    expect([await use(stranger, secret), await show(secret)]).toEqual(['invitation_used', 'invitation_used'])
  })

  it('ends with its last day, and is for one address where it names one', async () => {
    const [old, named] = [await secretOf(), await secretOf({ email: 'carol@example.com' })]
    await site.database.query
      .updateTable('organisation_invitations')
      .set({ expires_time: 1 })
      .where('secret_hash', '=', site.secrets.digest('proof', `organisation ${old}`))
      .execute()
    expect([await use(stranger, old), await show(old)]).toEqual(['invitation_expired', 'invitation_expired'])
    expect(await use(stranger, named)).toBe('invitation_of_another_address')
    expect(await show('x'.repeat(43))).toBe('invitation_invalid')
  })
})

it('is read whole by administrators of the site, who change nothing', async () => {
  const admin = await people.make(role.admin)
  const seen = await done(admin, 'GET', `site/${at.organisation}`)
  expect(seen).toMatchObject({ name: 'Northwind', role: null, may: ['read_all'] })
  expect(seen.projects).toEqual((await done(owner, 'GET', `${at.organisation}`)).projects)
  const team = { team_id: 0, name: 'T' }
  expect(await codeOf(ask(admin, 'PUT', `${at.organisation}/team`, team))).toBe('not_found')
  expect(await codeOf(ask(owner, 'GET', `site/${at.organisation}`))).toBe('permission_denied')
})

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
      .poll(() => done(owner, 'GET', `${at.organisation}/spend?tag=cost_centre`), { timeout: 5000 })
      .toEqual([{ ...spent, quota: expect.any(Number) }])
    const log = async (person: Person): Promise<number> =>
      ((await done(person, 'GET', `${at.organisation}/log?project_id=${at.project}`)) as unknown as { total: number })
        .total
    // The refused calls stand there, too.
    await expect.poll(() => log(owner), { timeout: 5000 }).toBe(5)
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
      base_url,
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
    await expect.poll(spent, { timeout: 5000 }).toEqual([
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
