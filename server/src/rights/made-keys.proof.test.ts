import { tokenStatus } from '@tollgate/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Made, makersIn } from '../../test/rights/organisations/made.ts'
import { type Makers, openMakers } from '../../test/rights/organisations/makers.ts'
import { get, listsOf, readingsOf, turnsFrom } from '../../test/rights/organisations/readings.ts'
import { socketTurn } from '../../test/rights/organisations/socket-turn.ts'
import type { Person } from '../../test/rights/people.ts'

/**
 * People in every place of an organisation make keys for everybody in every project, and read with what they get: nobody reads
 * through a key that is for another person.
 */

/** Which of the things of `made` a machine of a project reads. */
const inProject = { one: ['owner1', 'ann1', 'bob1'], two: ['owner2', 'ann2'] } as const
/** Projects in which somebody may make keys for others. */
const manages: Readonly<Record<string, readonly ('one' | 'two')[]>> = {
  owner: ['one', 'two'],
  admin: ['one', 'two'],
  'admin of two': ['two'],
}
/** Projects that a person may use. */
const uses: Readonly<Record<string, readonly ('one' | 'two')[]>> = {
  owner: ['one', 'two'],
  admin: ['one', 'two'],
  ann: ['one', 'two'],
  bob: ['one', 'two'],
  'admin of two': ['two'],
  'member of two': ['two'],
  billing: [],
  viewer: [],
}
const labels = Object.keys(uses)
const projectNames = ['one', 'two'] as const

let makers: Makers
let folk: Readonly<Record<string, Person>> = {}
const made = new Map<string, Made>()

const someone = (label: string): Person => folk[label] ?? expect.fail(label)
const keyBody = (name: string, project_id: number, member_id: number) => ({
  name,
  unlimited_quota: true,
  project_id,
  member_id,
})
const make = (by: string, project: 'one' | 'two', memberId: number) =>
  makers.ask(someone(by), 'POST', `${makers.at}/keys`, keyBody(`by ${by}`, makers.projects[project], memberId))

/** In the place of a key that was not made. */
const noKey = 'none'

/** Names of the things that a key reads by any call, and of those that it finds in a list. */
const readWith = async (key: string): Promise<string[]> => {
  if (key === noKey) return []
  const found = new Set<string>()
  const asks = [
    ...[...made.values()].flatMap((things) => readingsOf(makers.direct).map((reading) => reading(things))),
    ...listsOf(makers.direct, [...made.values()]),
    get('/api/log/token'),
    get('/api/usage/token'),
  ]
  for (const ask of asks) for (const name of makersIn((await makers.call(key, ask)).text)) found.add(name)
  for (const body of [...made.values()].flatMap((things) => turnsFrom.map((turn) => turn(things)))) {
    const overHttp = await makers.call(key, { method: 'POST', path: '/v1/responses', body })
    const overSocket = await socketTurn(makers.site.url, key, body)
    for (const name of makersIn(`${overHttp.text}\n${overSocket}`)) found.add(name)
  }
  return [...found].toSorted()
}

/** Calls that end the session, or give the account another access token. */
const harmful: ReadonlySet<string> = new Set(['/api/user/logout', '/api/user/token'])

/** Names of the things that a person finds anywhere in the console, with the organisation in place of an id. */
const readInConsole = async (label: string): Promise<string[]> => {
  const found = new Set<string>()
  const paths = makers.site
    .endpoints()
    .filter(({ method, path }) => method === 'GET' && !harmful.has(path))
    .map(({ path }) => path.replace('/api/', '').replace(/^organisation\/:id/, makers.at))
    .filter((path) => !path.includes(':'))
  for (const path of paths)
    for (const name of makersIn((await makers.ask(someone(label), 'GET', path)).text)) found.add(name)
  return [...found].toSorted()
}

/** The stored secret of a key, which only tests may look at. */
const secretOf = async (id: unknown): Promise<string> => {
  const { key_cipher } = await makers.site.database.query
    .selectFrom('tokens')
    .select('key_cipher')
    .where('id', '=', Number(id))
    .executeTakeFirstOrThrow()
  return makers.site.secrets.decrypt('token_key', key_cipher)
}

beforeAll(async () => {
  makers = await openMakers()
  const { owner, ann, bob } = makers.people
  folk = {
    owner,
    ann,
    bob,
    admin: await makers.join('admin'),
    billing: await makers.join('billing'),
    viewer: await makers.join('viewer'),
    'admin of two': await makers.join('admin', makers.teams.two),
    'member of two': await makers.join('member', makers.teams.two),
  }
  const own: readonly (readonly [string, Person, 'one' | 'two'])[] = [
    ['owner1', owner, 'one'],
    ['owner2', owner, 'two'],
    ['ann1', ann, 'one'],
    ['ann2', ann, 'two'],
    ['bob1', bob, 'one'],
  ]
  for (const [name, person, project] of own) {
    const key = await makers.makeKey(person, name, makers.projects[project], person.id)
    made.set(name, await makers.plant(name, key))
  }
})

afterAll(() => makers?.close())

describe('a key for another person', () => {
  it('is made by who manages keys of the project, for who may use it, and its maker is not shown its secret', async () => {
    for (const by of labels)
      for (const holder of labels.filter((label) => label !== by))
        for (const project of projectNames) {
          const person = someone(holder)
          const answer = await make(by, project, person.id)
          const what = [by, holder, project]
          const mayMake = manages[by]?.includes(project) === true && uses[holder]?.includes(project) === true
          expect([...what, answer.json.success]).toEqual([...what, mayMake])
          if (!mayMake) {
            const isManager = manages[by]?.includes(project) === true
            const code = isManager ? /^not_found$/ : /^(not_found|organisation_role_denied)$/
            expect([...what, answer.json.code]).toEqual([...what, expect.stringMatching(code)])
            continue
          }
          const { id, key } = answer.json.data as { id: number; key: string }
          const secret = await secretOf(id)
          expect([...what, answer.text.includes(secret), key]).toEqual([...what, false, expect.stringContaining('***')])
          expect([...what, (await makers.call(key, get('/v1/models'))).status]).toEqual([...what, 401])
          // No other call gives it to the maker, nor takes the key for the maker's.
          for (const part of ['keys/reveal', 'keys/rotate']) {
            const asked = await makers.ask(someone(by), 'POST', `${makers.at}/${part}`, { key_id: id })
            expect([...what, part, asked.json.code]).toEqual([...what, part, 'not_found'])
          }
          for (const path of [`${makers.at}/keys`, 'organisation/self', 'token/', `token/${id}`, makers.at])
            expect((await makers.ask(someone(by), 'GET', path)).text).not.toContain(secret)
          const asked = await makers.ask(someone(by), 'POST', `token/${id}/key`)
          expect([asked.json.success, await secretOf(id)]).toEqual([false, secret])
        }
  })

  it('is revealed and rotated by that person, and reads what the person made', async () => {
    const { ann } = makers.people
    const { id } = (await make('admin', 'two', ann.id)).json.data as { id: number }
    const { key } = await makers.done(ann, 'POST', `${makers.at}/keys/reveal`, { key_id: id })
    expect(key).toBe(await secretOf(id))
    expect(await readWith(String(key))).toEqual(['ann1', 'ann2'])
    const rotated = await makers.done(ann, 'POST', `${makers.at}/keys/rotate`, { key_id: id })
    expect(rotated).toMatchObject({ id, member_id: ann.id, shared: false, key: await secretOf(id) })
    expect((await makers.call(String(key), get('/v1/models'))).status).toBe(401)
    expect(await readWith(String(rotated.key))).toEqual(['ann1', 'ann2'])
  })

  it('is not revealed to a person who may not use the project any more', async () => {
    const left = await makers.join('member')
    const { id } = (
      await makers.ask(makers.people.owner, 'POST', `${makers.at}/keys`, keyBody('left', makers.projects.one, left.id))
    ).json.data as { id: number }
    await makers.done(makers.people.owner, 'PUT', `${makers.at}/member`, {
      user_id: left.id,
      team_id: 0,
      role: 'viewer',
    })
    for (const part of ['keys/reveal', 'keys/rotate'])
      expect((await makers.ask(left, 'POST', `${makers.at}/${part}`, { key_id: id })).json.code).toBe(
        'organisation_role_denied',
      )
  })

  it('goes to no project that the person may not use', async () => {
    const guest = someone('member of two')
    const { id } = (await make('owner', 'two', guest.id)).json.data as { id: number }
    for (const by of ['owner', 'admin'])
      expect(
        (
          await makers.ask(someone(by), 'POST', `${makers.at}/keys/move`, {
            key_id: id,
            project_id: makers.projects.one,
          })
        ).json.code,
      ).toBe('not_found')
  })
})

it('making keys lets nobody read what others made, except through machines of projects in which they manage keys', async () => {
  for (const by of labels) {
    const before = await readInConsole(by)
    // Tasks of the whole organisation are for who reads all calls.
    if (by === 'admin') expect(before).toEqual([...made.keys()].toSorted())
    for (const project of projectNames) {
      for (const memberId of [...labels.map((label) => someone(label).id), 0]) {
        const answer = await make(by, project, memberId)
        const { key = noKey } = (answer.json.data ?? {}) as { key?: string }
        const isOwn = memberId === someone(by).id
        const own = [...made.keys()].filter((name) => name.startsWith(by)).toSorted()
        const machine = manages[by]?.includes(project) === true ? inProject[project].toSorted() : []
        const expected = memberId === 0 ? machine : isOwn && uses[by]?.includes(project) ? own : []
        const what = [by, project, memberId]
        expect([...what, await readWith(key)]).toEqual([...what, expected])
      }
    }
    expect([by, await readInConsole(by)]).toEqual([by, before])
  }
}, 600_000)

describe('a key of a person whose secret others may know', () => {
  /** A key of Ann's in project two, as versions before made them for others. */
  const plantShared = async (): Promise<{ id: number; key: string }> => {
    const { ann } = makers.people
    const key = await makers.makeKey(ann, 'shared', makers.projects.two, ann.id)
    const { query } = makers.site.database
    const { id } = await query
      .selectFrom('tokens')
      .select('id')
      .where('name', '=', 'shared')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    await query.updateTable('tokens').set({ secret_for: 0 }).where('id', '=', id).execute()
    return { id, key }
  }

  it('reads what the person made in its project, until the person rotates it', async () => {
    const { ann } = makers.people
    const { id, key } = await plantShared()
    expect(await readWith(key)).toEqual(['ann2'])
    const listed = (await makers.done(ann, 'GET', 'organisation/self')).keys as { id: number; shared: boolean }[]
    expect(listed.find((one) => one.id === id)?.shared).toBe(true)
    const rotated = await makers.done(ann, 'POST', `${makers.at}/keys/rotate`, { key_id: id })
    expect(await readWith(String(rotated.key))).toEqual(['ann1', 'ann2'])
  })

  it('moves nowhere before, and neither revealing nor switching it changes what it reads', async () => {
    const { ann, owner } = makers.people
    const { id, key } = await plantShared()
    const move = { key_id: id, project_id: makers.projects.one }
    for (const person of [ann, owner, someone('admin')])
      expect((await makers.ask(person, 'POST', `${makers.at}/keys/move`, move)).json.code).toBe('key_secret_shared')
    await makers.done(ann, 'POST', `${makers.at}/keys/reveal`, { key_id: id })
    for (const status of [tokenStatus.disabled, tokenStatus.enabled])
      await makers.done(owner, 'PUT', `${makers.at}/keys`, { key_id: id, status })
    expect(await readWith(key)).toEqual(['ann2'])
    await makers.done(ann, 'POST', `${makers.at}/keys/rotate`, { key_id: id })
    const moved = await makers.done(owner, 'POST', `${makers.at}/keys/move`, move)
    expect(await readWith(await secretOf(moved.id))).toEqual(['ann1', 'ann2'])
  })
})

describe('a key of a machine, once its maker may not use the project any more', () => {
  const byOwner = (method: string, path: string, body: unknown) =>
    makers.done(someone('owner'), method, `${makers.at}/${path}`, body)
  const setPlace = (person: Person, team_id: number, role: string) =>
    byOwner('PUT', 'member', { user_id: person.id, team_id, role })
  const manage = (person: Person, action: string) =>
    makers.done(makers.people.root, 'POST', 'user/manage', { id: person.id, action })

  /** A new admin of a team makes a key of a machine in its project, which makes things of its own. */
  const plantMachine = async (name: string) => {
    const maker = await makers.join('admin', makers.teams.two)
    const body = keyBody('machine', makers.projects.two, 0)
    const { id, key } = (await makers.done(maker, 'POST', `${makers.at}/keys`, body)) as { id: number; key: string }
    made.set(name, await makers.plant(name, key))
    return { maker, id, key }
  }
  const shownAsShared = async (id: number) => {
    const keys = (await makers.done(someone('owner'), 'GET', `${makers.at}/keys`)) as unknown as {
      id: number
      shared: boolean
    }[]
    return keys.find((key) => key.id === id)?.shared
  }

  const losses: Readonly<Record<string, (maker: Person, id: number) => Promise<unknown>>> = {
    removed: (maker) => byOwner('POST', 'member/remove', { user_id: maker.id }),
    viewer: (maker) => setPlace(maker, makers.teams.two, 'viewer'),
    banned: (maker) => manage(maker, 'disable'),
  }

  it.each(Object.keys(losses))(
    'reads what it made itself alone: %s',
    async (name) => {
      const { maker, id, key } = await plantMachine(name)
      const before = await readWith(key)
      expect(before).toEqual(expect.arrayContaining(['ann2', 'owner2', name]))
      expect(await shownAsShared(id)).toBe(false)
      await losses[name]?.(maker, id)
      expect([name, await readWith(key)]).toEqual([name, [name]])
      expect(await shownAsShared(id)).toBe(true)
      // The person who may use the project makes another one, which reads all of it, this machine's things, too.
      const { key: next } = await makers.done(someone('owner'), 'POST', `${makers.at}/keys`, {
        ...keyBody('next', makers.projects.two, 0),
      })
      expect(await readWith(String(next))).toEqual(before)
      if (name === 'banned') await manage(maker, 'enable')
      if (name === 'viewer') await setPlace(maker, makers.teams.two, 'member')
      if (name !== 'removed') expect([name, await readWith(key)]).toEqual([name, before])
      made.delete(name)
    },
    120_000,
  )

  it('reads nothing in a project to which somebody else moves it', async () => {
    const { maker, id, key } = await plantMachine('carried')
    await byOwner('POST', 'keys/move', { key_id: id, project_id: makers.projects.one })
    expect(await readWith(key)).toEqual([])
    await setPlace(maker, makers.teams.one, 'member')
    expect(await readWith(key)).toEqual(expect.arrayContaining(['ann1', 'bob1', 'owner1']))
    made.delete('carried')
  })
})
