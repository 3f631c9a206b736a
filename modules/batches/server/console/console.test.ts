import type { ListedBatch } from '@tollgate/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import type { SignedIn } from '#server-test/support/features/signed-in.ts'
import { completion, json } from '#server-test/support/gateway/upstream.ts'
import { type BatchScene, chatLine, openBatchScene } from '../../tests/batch-scene.ts'

describeEachEngine('batches in the console', (open) => {
  let database: Database
  let batch: BatchScene
  let owner: SignedIn
  let operator: SignedIn
  /** Requests with these words are refused by the upstream. */
  let refused: RegExp

  beforeEach(async () => {
    database = await open()
    batch = await openBatchScene(database)
    owner = batch.consoleOf({ id: batch.scene.userId })
    operator = batch.consoleOf({ id: batch.scene.userId + 1000, role: 10 })
    refused = /bad/
    batch.scene.upstream.answer = (call) =>
      (refused.test(call.body.toString())
        ? json({ error: { message: 'no', type: 'invalid_request_error' } }, 400)
        : json(completion('ok')))(call)
  })
  afterEach(() => batch.close())

  const listed = async (by: SignedIn, path: string): Promise<ListedBatch[]> => {
    const { json: answer } = await by('GET', path)
    expect(answer).toMatchObject({ success: true })
    return (answer.data as { items: ListedBatch[] }).items
  }
  const ownList = () => listed(owner, '/api/batch/self/browse')
  const ended = async (count: number): Promise<ListedBatch> => {
    await expect
      .poll(async () => (await ownList()).filter(({ ended_at }) => ended_at > 0).length, { timeout: 30_000 })
      .toBe(count)
    const [latest] = await ownList()
    return latest ?? expect.fail('no batch')
  }
  const create = async (names: readonly string[]): Promise<void> => {
    const file = await batch.file(names.map((name) => chatLine(name)))
    const asked = { input_file_id: file, endpoint: '/v1/chat/completions', completion_window: '24h' }
    expect((await batch.call('POST', '/v1/batches', asked)).status).toBe(200)
  }
  const charged = async (): Promise<number> => {
    await batch.scene.balances()
    const rows = await database.query.selectFrom('ledger_entries').selectAll().where('reason', '=', 'charge').execute()
    return -rows.reduce((sum, { amount }) => sum + (amount as number), 0)
  }

  it('have their counts, models and cost, which is that of the ledger also after it is stored', async () => {
    await create(['good-1', 'bad-1', 'good-2'])
    const done = await ended(1)
    expect(done).toMatchObject({
      batch_id: expect.stringMatching(/^batch_\w{24}$/),
      state: 'completed',
      total: 3,
      succeeded: 2,
      failed: 1,
      files: ['output', 'error'],
      retries: true,
    })
    const cost = await charged()
    expect(cost).toBeGreaterThan(0)
    await expect.poll(async () => (await ownList())[0]).toMatchObject({ quota: cost, models: ['gpt-4o'] })
    batch.pass(3_600)
    expect((await ownList())[0]).toMatchObject({ quota: cost })
    expect(await database.query.selectFrom('batches').select('quota').executeTakeFirst()).toEqual({ quota: cost })
    expect((await ownList())[0]).toMatchObject({ quota: cost })
  })

  it('are tried again where they had no success, and there alone', async () => {
    await create(['good-1', 'bad-1', 'good-2', 'bad-2'])
    const first = await ended(1)
    const before = batch.scene.upstream.received.length
    refused = /never/
    const { json: again } = await owner('POST', `/api/batch/self/${first.id}/retry`)
    expect(again).toMatchObject({ success: true, data: { batch_id: expect.stringMatching(/^batch_/) } })
    const second = await ended(2)
    expect(second).toMatchObject({
      total: 2,
      succeeded: 2,
      failed: 0,
      retries: false,
      endpoint: '/v1/chat/completions',
    })
    const asked = batch.scene.upstream.received.slice(before).map(({ body }) => /bad-\d/.exec(body.toString())?.[0])
    expect(asked.toSorted()).toEqual(['bad-1', 'bad-2'])
    expect((await owner('POST', `/api/batch/self/${second.id}/retry`)).json).toMatchObject({
      success: false,
      code: 'batch_retry_impossible',
    })
  })

  it('of Anthropic’s form are tried again from the requests that were stored with them', async () => {
    const request = (name: string) => ({
      custom_id: name,
      params: { model: 'gpt-4o', max_tokens: 5, messages: [{ role: 'user', content: name }] },
    })
    const requests = ['good-1', 'bad-1'].map(request)
    expect((await batch.call('POST', '/v1/messages/batches', { requests })).status).toBe(200)
    const first = await ended(1)
    expect(first).toMatchObject({ form: 'anthropic', failed: 1, files: ['output'], retries: true })
    refused = /never/
    expect((await owner('POST', `/api/batch/self/${first.id}/retry`)).json).toMatchObject({ success: true })
    expect(await ended(2)).toMatchObject({ form: 'anthropic', total: 1, succeeded: 1 })
  })

  it('give their results to their maker, and their state to operators, who can cancel them', async () => {
    await create(['good-1', 'bad-1'])
    const done = await ended(1)
    const results = async (by: SignedIn, kind: string) => by('GET', `/api/batch/self/${done.id}/results?kind=${kind}`)
    expect((await results(owner, 'output')).text).toContain('"custom_id":"good-1"')
    expect((await results(owner, 'error')).text).toContain('"custom_id":"bad-1"')
    expect((await results(operator, 'output')).json).toMatchObject({ code: 'not_found' })
    const [seen] = await listed(operator, '/api/batch/browse')
    expect(seen).toMatchObject({ id: done.id, username: expect.stringMatching(/./), files: [], retries: false })
    expect(await listed(operator, '/api/batch/self/browse')).toEqual([])
    expect((await owner('POST', `/api/batch/${done.id}/cancel`)).json).toMatchObject({ code: 'permission_denied' })
    expect((await operator('POST', `/api/batch/${done.id}/cancel`)).json).toMatchObject({ code: 'batch_ended' })
  })

  it('are cancelled under way, by their maker and with a trace', async () => {
    const waiting: (() => void)[] = []
    batch.scene.upstream.answer = (call) => void waiting.push(() => json(completion('ok'))(call))
    await create(Array.from({ length: 30 }, (_, index) => `good-${index}`))
    await expect.poll(() => waiting.length, { timeout: 30_000 }).toBeGreaterThan(0)
    const [open] = await ownList()
    expect((await owner('POST', `/api/batch/self/${open?.id}/cancel`)).json).toMatchObject({ success: true })
    expect((await ownList())[0]).toMatchObject({ state: 'cancelling' })
    expect(await listed(owner, '/api/batch/self/browse?state=cancelling')).toHaveLength(1)
    expect(await listed(owner, '/api/batch/self/browse?state=in_progress')).toHaveLength(0)
    const release = setInterval(() => {
      for (const go of waiting.splice(0)) go()
    }, 50)
    const done = await ended(1).finally(() => clearInterval(release))
    expect(done.state).toBe('cancelled')
    expect(done.succeeded + done.skipped).toBe(30)
    const traces = await database.query.selectFrom('audit').select(['action', 'object_id']).execute()
    expect(traces).toContainEqual({ action: 'batch.cancel', object_id: done.batch_id })
  })

  it('are found by state, API, id and time; whose they are cannot be turned round', async () => {
    await create(['good-1'])
    await ended(1)
    const request = { custom_id: 'a', params: { model: 'gpt-4o', max_tokens: 5, messages: [] } }
    expect((await batch.call('POST', '/v1/messages/batches', { requests: [request] })).status).toBe(200)
    const { batch_id: latest } = await ended(2)
    const forms = async (by: SignedIn, path: string) => (await listed(by, path)).map(({ form }) => form)
    expect(await forms(owner, '/api/batch/self/browse?form=openai')).toEqual(['openai'])
    expect(await forms(owner, '/api/batch/self/browse?form=openai&not=form')).toEqual(['anthropic'])
    expect(await forms(owner, `/api/batch/self/browse?batch_id=${latest}`)).toEqual(['anthropic'])
    expect(await forms(owner, '/api/batch/self/browse?end_timestamp=1')).toEqual([])
    expect(await forms(owner, `/api/batch/self/browse?user_id=${batch.scene.userId}&not=user_id`)).toHaveLength(2)
    expect(await forms(operator, `/api/batch/browse?user_id=${batch.scene.userId}&not=user_id`)).toEqual([])
    const counted = (by: SignedIn, path: string) => by('GET', path).then(({ json: answer }) => answer)
    expect(await counted(owner, '/api/batch/self/facets?facet=form&form=openai')).toMatchObject({
      data: { values: expect.arrayContaining([{ value: 'anthropic', count: 1 }]) },
    })
    expect(await counted(operator, '/api/batch/facets?facet=user_id')).toMatchObject({
      data: { values: [{ value: String(batch.scene.userId), count: 2 }] },
    })
    expect(await counted(owner, '/api/batch/self/facets?facet=user_id')).toMatchObject({ success: false })
    expect(await counted(owner, '/api/batch/browse')).toMatchObject({ code: 'permission_denied' })
  })

  it('are neither cancelled, tried again nor read by a stranger', async () => {
    const stranger = batch.consoleOf({ id: batch.scene.userId + 1 })
    await create(['good-1', 'bad-1'])
    const { id } = await ended(1)
    expect(await listed(stranger, '/api/batch/self/browse')).toEqual([])
    for (const path of [`/api/batch/self/${id}/cancel`, `/api/batch/self/${id}/retry`])
      expect((await stranger('POST', path)).json).toMatchObject({ code: 'not_found' })
    expect((await stranger('GET', `/api/batch/self/${id}/results`)).json).toMatchObject({ code: 'not_found' })
    expect((await stranger('GET', '/api/organisation/1/batches')).json).toMatchObject({ code: 'not_found' })
  })
})
