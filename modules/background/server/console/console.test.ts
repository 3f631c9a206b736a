import type { ListedBackground, OrganisationBackground } from '@tollgate/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { namesOf } from '#server/db/names/stored-names.ts'
import { openAudit } from '#server/features/audit/audit.ts'
import { openStoredObjects, type StoredObjectStore } from '#server/features/stored-responses/stored-objects.ts'
import { silentLog } from '#server/lib/log.ts'
import { openBus } from '#server/lib/redis/bus.ts'
import { openSecrets } from '#server/lib/security/secrets.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { type SignedIn, signedIn } from '#server-test/support/features/signed-in.ts'
import { placedKey, testOrganisationTasks } from '#server-test/support/organisations/organisation-tasks.ts'
import { type Background, openBackground } from '../background.ts'
import { openEventStore } from '../events/event-store.ts'
import { unfinished } from '../responses.ts'
import { type BackgroundStore, openBackgroundStore } from '../store.ts'
import { createBackgroundReads } from './background-reads.ts'
import { backgroundConsole } from './routes.ts'

const secrets = openSecrets({ cryptoSecret: 'background console test', keyFile: '' })
const clock = () => 1_763_600_000_000

describeEachEngine('responses in the background in the console', (open) => {
  let database: Database
  let objects: StoredObjectStore
  let store: BackgroundStore
  let background: Background
  let owner: SignedIn
  let stranger: SignedIn
  let operator: SignedIn

  beforeEach(async () => {
    database = await open()
    const bus = openBus({ nodeName: 'a', log: silentLog })
    const failed = (error: unknown): void => expect.fail(String(error))
    objects = openStoredObjects({ database, secrets, bus, clock, warn: (_, error) => failed(error) })
    store = openBackgroundStore({ database, secrets, clock })
    const events = openEventStore({ database, secrets, clock })
    // No calls are joined: what is queued stays queued.
    background = openBackground({
      store,
      events,
      storedObjects: objects,
      bus,
      ended: async () => {},
      days: () => 30,
      clock,
      failed,
    })
    const by = (person: { readonly id: number; readonly role?: number }): SignedIn =>
      signedIn(
        (on) =>
          backgroundConsole(on, {
            reads: createBackgroundReads({ database, store, names: namesOf(database) }),
            store,
            background,
            storedObjects: objects,
            audit: openAudit(database, clock),
            organisationTasks: testOrganisationTasks,
          }),
        person,
      )
    owner = by({ id: 7 })
    stranger = by({ id: 8 })
    operator = by({ id: 1, role: 10 })
  })
  afterEach(async () => {
    await background.close()
    await objects.close()
  })

  const add = async (id: string, reader = { userId: 7, tokenId: 3 }, more: object = {}): Promise<void> => {
    const body = { model: 'gpt-4o', input: 'a secret question', ...more }
    const answer = unfinished('queued', { id, model: 'gpt-4o', createdAt: clock() / 1000, body })
    const content = { items: [], output: [], previous: null, answer }
    await objects.putNow({ kind: 'response', id, owner: reader, thread: id, content }, 30)
    const call = { path: '/v1/responses', query: '', ip: '', headers: {} }
    await store.add(id, { requestId: `request of ${id}`, owner: reader, ...call, body })
  }
  const list = async <T = ListedBackground>(by: SignedIn, path: string): Promise<T[]> => {
    const { json } = await by('GET', path)
    expect(json).toMatchObject({ success: true })
    return (json.data as { items: T[] }).items
  }
  const idsOf = async (by: SignedIn, path: string) => (await list(by, path)).map(({ response_id }) => response_id)
  const set = (fields: { attempts?: number; error?: string; state?: string }, id: string) =>
    database.query.updateTable('background_answers').set(fields).where('response_id', '=', id).execute()

  it('are their owner’s, with model and state, and without what was asked', async () => {
    await add('resp_a', undefined, { stream: true })
    await add('resp_b', { userId: 8, tokenId: 4 })
    const [row, ...more] = await list(owner, '/api/background/self/browse')
    expect(more).toEqual([])
    expect(row).toMatchObject({ response_id: 'resp_a', request_id: 'request of resp_a', model: 'gpt-4o' })
    expect(row).toMatchObject({ state: 'queued', attempts: 0, streamed: true, deadline_at: 0 })
    expect(JSON.stringify(row)).not.toContain('secret question')
    expect(await idsOf(owner, '/api/background/self/browse?user_id=7&not=user_id')).toEqual(['resp_a'])
  })

  it('are all there for operators, with the last error, and counted by user', async () => {
    await add('resp_a')
    await add('resp_b', { userId: 8, tokenId: 4 })
    await set({ attempts: 2, error: 'busy' }, 'resp_b')
    const rows = await list(operator, '/api/background/browse')
    expect(rows.map(({ response_id, state, error }) => [response_id, state, error])).toEqual([
      ['resp_b', 'in_progress', 'busy'],
      ['resp_a', 'queued', ''],
    ])
    expect((await list(stranger, '/api/background/self/browse'))[0]).not.toHaveProperty('error')
    expect(await idsOf(operator, '/api/background/browse?state=queued')).toEqual(['resp_a'])
    expect(await idsOf(operator, '/api/background/browse?user_id=7&not=user_id')).toEqual(['resp_b'])
    expect(await idsOf(operator, '/api/background/browse?response_id=resp_a')).toEqual(['resp_a'])
    const { json } = await operator('GET', '/api/background/facets?facet=user_id&user_id=7')
    expect((json.data as { values: object[] }).values).toHaveLength(2)
    for (const path of ['/api/background/browse', '/api/background/facets?facet=user_id'])
      expect((await owner('GET', path)).json).toMatchObject({ code: 'permission_denied' })
  })

  it('of an organisation are those of its wallet, or of the keys that one reads, with project and member', async () => {
    await add('resp_placed', { userId: 40, tokenId: placedKey.id })
    await add('resp_other', { userId: 40, tokenId: 42 })
    await add('resp_foreign', { userId: 8, tokenId: 43 })
    const found = async (id: number) =>
      (await list<OrganisationBackground>(owner, `/api/organisation/${id}/background`)).map(
        ({ response_id, project_id, member_id }) => [response_id, project_id, member_id],
      )
    expect(await found(5)).toEqual([
      ['resp_other', 0, 0],
      ['resp_placed', 7, 3],
    ])
    expect(await found(6)).toEqual([['resp_placed', 7, 3]])
    expect(await found(7)).toEqual([])
  })

  it('are cancelled by their owner and by operators, with a trace, and by no other person', async () => {
    await add('resp_a')
    await add('resp_b')
    const [second, first] = await list(owner, '/api/background/self/browse')
    expect((await stranger('POST', `/api/background/self/${first?.id}/cancel`)).json).toMatchObject({
      code: 'not_found',
    })
    expect((await owner('POST', `/api/background/${first?.id}/cancel`)).json).toMatchObject({
      code: 'permission_denied',
    })
    expect((await owner('POST', `/api/background/self/${first?.id}/cancel`)).json).toMatchObject({ success: true })
    expect((await operator('POST', `/api/background/${second?.id}/cancel`)).json).toMatchObject({ success: true })
    expect(await list(owner, '/api/background/self/browse?state=cancelling')).toHaveLength(2)
    const stored = await objects.find({ userId: 7, tokenId: 3 }, 'response', 'resp_a')
    expect(stored?.content.answer).toMatchObject({ status: 'cancelled' })
    expect((await owner('POST', `/api/background/self/${first?.id}/cancel`)).json).toMatchObject({
      code: 'background_ended',
    })
    const traces = await database.query.selectFrom('audit').select(['action', 'object_id']).execute()
    expect(traces).toEqual([
      { action: 'response.cancel', object_id: 'resp_a' },
      { action: 'response.cancel', object_id: 'resp_b' },
    ])
  })
})
