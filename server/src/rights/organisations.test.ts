import { role } from '@tollgate/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { codeOf, openNorthwind } from '../../test/rights/organisations/northwind.ts'
import type { Person } from '../../test/rights/people.ts'
import type { Answer } from '../../test/rights/site.ts'

/** Organisations through the whole product: what each role may do, and that nothing of another organisation is in reach. */

const { site, people, owner, stranger, at, ask, done, someone, close } = await openNorthwind()
afterAll(close)

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
