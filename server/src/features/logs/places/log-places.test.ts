import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../../test/support/db/databases.ts'
import { logRow, now, openTestLogs, type TestLogs } from '../../../../test/support/features/logs.ts'
import type { SignedIn } from '../../../../test/support/features/signed-in.ts'
import { foundOrganisation } from '../../../../test/support/single-sign-on/organisations.ts'
import type { Database } from '../../../db/database.ts'
import { insertReturningId } from '../../../db/dialect.ts'

const day = 86_400

interface Page {
  items: { content: string; place?: unknown; tags?: Record<string, string> }[]
  total: number
}

describeEachEngine('the log of an organisation', (open) => {
  let database: Database
  let logs: TestLogs
  let place: {
    organisation: number
    wallet: number
    project: number
    other: number
    ofMember: number
    ofMachine: number
  }

  beforeAll(async () => {
    database = await open()
    const { organisation, team, wallet } = await foundOrganisation(database, 7)
    const project = (name: string) =>
      insertReturningId(database.query, 'projects', {
        organisation_id: organisation,
        team_id: team,
        name,
        models: '',
        created_time: 0,
        deleted_at: null,
      })
    const [first, second] = [await project('Search'), await project('Mail')]
    const key = async (member: number, projectId: number): Promise<number> => {
      const id = await foundOrganisation.key(database, wallet, member)
      await database.query.updateTable('tokens').set({ project_id: projectId }).where('id', '=', id).execute()
      return id
    }
    const ofMember = await key(7, first)
    // Spending of a key remains when the key is deleted.
    const ofMachine = await key(0, second)
    await database.query.updateTable('tokens').set({ deleted_at: 1 }).where('id', '=', ofMachine).execute()
    place = { organisation, wallet, project: first, other: second, ofMember, ofMachine }
  })
  beforeEach(async () => {
    logs = await openTestLogs(database)
    const common = { user_id: place.wallet, model_name: 'gpt-4o', created_at: now - 3 * day, type: 2 }
    await logs.charge(
      { ...common, token_id: place.ofMember, content: 'member', quota: 3 },
      { ...common, token_id: place.ofMachine, content: 'machine', quota: 5 },
      { ...common, token_id: 900, user_id: 8, content: 'alone', quota: 7 },
    )
  })

  const read = async <T>(caller: SignedIn, path: string): Promise<T> => (await caller('GET', path)).json.data as T
  const contents = async (query: string): Promise<string[]> =>
    (await read<Page>(logs.admin, `/api/log/?${query}`)).items.map(({ content }) => content).toSorted()

  it('names organisation, project and member for administrators, and nothing for keys of people', async () => {
    const { items } = await read<Page>(logs.admin, '/api/log/')
    const placeOf = (content: string) => items.find((one) => one.content === content)?.place
    const named = { id: place.organisation, name: expect.stringContaining('Organisation') }
    expect(placeOf('member')).toMatchObject({ organisation: named, project: { name: 'Search' }, member: { id: 7 } })
    expect(placeOf('machine')).toMatchObject({ organisation: named, project: { name: 'Mail' }, member: null })
    expect(placeOf('alone')).toBeUndefined()
  })

  it('is found by organisation, project and member, alone and together', async () => {
    expect(await contents(`organisation_id=${place.organisation}`)).toEqual(['machine', 'member'])
    expect(await contents(`project_id=${place.other}`)).toEqual(['machine'])
    expect(await contents('member_id=7')).toEqual(['member'])
    expect(await contents('member_id=0')).toEqual(['machine'])
    expect(await contents(`project_id=${place.other}&member_id=7`)).toEqual([])
    expect(await contents(`organisation_id=${place.organisation}&username=bob`)).toEqual([])
    expect(await contents('organisation_id=999999')).toEqual([])
  })

  it('is counted and summed as it is listed, where sums of days help', async () => {
    const model = `model_name=gpt-4o&project_id=${place.project}`
    expect((await read<Page>(logs.admin, `/api/log/?${model}`)).total).toBe(1)
    expect(await read(logs.admin, `/api/log/stat?${model}`)).toMatchObject({ quota: 3 })
    expect(await read(logs.admin, '/api/log/stat?member_id=7')).toMatchObject({ quota: 3 })
    const range = `start_timestamp=${now - 7 * day}&end_timestamp=${now}`
    const volume = await read<{ done: number[] }>(logs.admin, `/api/log/volume?${range}&project_id=${place.other}`)
    expect(volume.done.reduce((sum, count) => sum + count, 0)).toBe(1)
    const facet = `/api/log/facets?facet=model_name&${range}&project_id=${place.other}`
    expect(await read(logs.admin, facet)).toMatchObject({ values: [{ value: 'gpt-4o', count: 1 }] })
  })

  it('is not told apart for its readers by what only administrators may ask', async () => {
    await logs.write({ user_id: 7, content: 'own', token_id: 901 })
    const { items, total } = await read<Page>(logs.user, `/api/log/self?organisation_id=${place.organisation}`)
    expect(total).toBe(1)
    expect(items[0]).toMatchObject({ content: 'own' })
    expect(items[0]).not.toHaveProperty('place')
  })

  it('sums what calls with a tag cost, which the sums by hour do not know', async () => {
    const tagged = { ...logRow({ user_id: 8, quota: 11, type: 2, created_at: now - 2 * day }), tags: ';env=test;' }
    await database.insertMany('logs', [tagged])
    expect(await read(logs.admin, '/api/log/stat?tag=env=test')).toMatchObject({ quota: 11 })
    expect((await read<Page>(logs.admin, '/api/log/?tag=env')).items[0]?.tags).toEqual({ env: 'test' })
  })

  it('has its places and tags in files', async () => {
    const { text } = await logs.admin('GET', `/api/log/export?project_id=${place.project}`)
    const [head = '', row = '', ...rest] = text.split('\r\n')
    expect(head).toContain('organisation,project,member,tags')
    expect(row).toContain('Search')
    expect(rest.filter((line) => line !== '')).toHaveLength(1)
  })
})
