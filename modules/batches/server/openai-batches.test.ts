import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { completion, json } from '#server-test/support/gateway/upstream.ts'
import { testOptions } from '#server-test/support/relay/ports.ts'
import { type BatchScene, chatLine, openBatchScene } from '../tests/batch-scene.ts'

interface Printed {
  readonly custom_id: string
  readonly response: { readonly status_code: number; readonly body: { readonly choices: readonly unknown[] } } | null
  readonly error: { readonly code: string } | null
}

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `line-${index}`)

describeEachEngine('batches of OpenAI', (open) => {
  let database: Database
  let batch: BatchScene

  beforeEach(async () => {
    database = await open()
    batch = await openBatchScene(database)
  })
  afterEach(async () => {
    await batch.close()
  })

  const create = async (lines: readonly string[], more: object = {}) => {
    const file = await batch.file(lines)
    const asked = { input_file_id: file, endpoint: '/v1/chat/completions', completion_window: '24h', ...more }
    return batch.call('POST', '/v1/batches', asked)
  }
  const read = async (id: string) => (await batch.call('GET', `/v1/batches/${id}`)).json
  const ended = async (id: string) => {
    await expect
      .poll(async () => (await read(id)).status, { timeout: 30_000 })
      .toMatch(/^(completed|failed|cancelled|expired)$/)
    return read(id)
  }
  const linesOf = async (file: string): Promise<Printed[]> =>
    (await batch.textOf(file))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))

  /** The upstream answers when these are called. */
  const holdAnswers = (): (() => void)[] => {
    const waiting: (() => void)[] = []
    batch.scene.upstream.answer = (call) => void waiting.push(() => json(completion('ok'))(call))
    return waiting
  }

  /** A batch whose key can hold the most that one of its lines may cost; `quota` is what a line costs. */
  const withTooLittle = async (more: { readonly journalMs?: number } = {}) => {
    const one = await create([chatLine('a')])
    await ended(one.json.id)
    const { quota } = await charges()
    await batch.close()
    batch = await openBatchScene(database, quota * 17, more)
    return { quota, made: await create(names(12).map((name) => chatLine(name, { max_tokens: 5 }))) }
  }

  /** A batch whose process ended before its results were written. */
  const unwritten = {
    state: 'in_progress',
    succeeded: 0,
    failed: 0,
    next_line: 1,
    next_offset: 0,
    chunks: 0,
    ended_time: 0,
  } as const

  /** Quota of all charges, and their number. */
  const charges = async () => {
    await batch.scene.balances()
    const rows = await database.query.selectFrom('ledger_entries').selectAll().where('reason', '=', 'charge').execute()
    return { count: rows.length, quota: -rows.reduce((sum, { amount }) => sum + amount, 0) }
  }

  it('make each line once, and bill what the lines cost', async () => {
    const before = (await batch.scene.balances()).user
    batch.scene.upstream.answer = ({ body, response }) => {
      const { messages } = JSON.parse(body.toString())
      const isBad = messages[0].content === 'line-3'
      json(
        isBad ? { error: { message: 'no', type: 'invalid_request_error' } } : completion('ok'),
        isBad ? 400 : 200,
      )({
        response,
      } as never)
    }
    const made = await create(
      names(20).map((name) => chatLine(name)),
      { metadata: { project: 'x' } },
    )
    expect(made).toMatchObject({
      status: 200,
      json: { object: 'batch', status: 'validating', metadata: { project: 'x' } },
    })
    const done = await ended(made.json.id)
    expect(done).toMatchObject({
      status: 'completed',
      request_counts: { total: 20, completed: 19, failed: 1 },
      usage: {
        input_tokens: 190,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 95,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 285,
      },
      errors: null,
    })
    const owner = { userId: batch.maker.userId, projectId: 0, memberId: 0 }
    expect(batch.ends).toEqual([{ kind: 'batch', outcome: 'completed', id: made.json.id, maker: owner }])
    const output = await linesOf(done.output_file_id)
    expect(output.map(({ custom_id }) => custom_id).sort()).toEqual(
      names(20)
        .filter((name) => name !== 'line-3')
        .sort(),
    )
    expect(output.every(({ response, error }) => response?.status_code === 200 && error === null)).toBe(true)
    expect(output[0]?.response?.body.choices).toHaveLength(1)
    expect(await linesOf(done.error_file_id)).toMatchObject([{ custom_id: 'line-3', response: { status_code: 400 } }])
    const { count, quota } = await charges()
    expect(count).toBe(19)
    expect(quota).toBeGreaterThan(0)
    expect((await batch.scene.balances()).user).toBe(before - quota)
    expect(await database.query.selectFrom('batch_chunks').selectAll().execute()).toEqual([])
    expect(batch.logged).toEqual([])
  })

  it('fail with the errors of their lines, and make no call', async () => {
    const made = await create([
      chatLine('a'),
      'no json',
      chatLine('a'),
      JSON.stringify({ custom_id: 'b', method: 'GET', url: '/v1/chat/completions', body: {} }),
      JSON.stringify({ custom_id: 'c', method: 'POST', url: '/v1/embeddings', body: {} }),
      JSON.stringify({ method: 'POST', url: '/v1/embeddings', body: {} }),
    ])
    const done = await ended(made.json.id)
    expect(done.status).toBe('failed')
    expect(batch.ends).toMatchObject([{ outcome: 'failed', id: made.json.id }])
    expect((await batch.jobFigures.read()).get('batch')).toEqual({ states: new Map(), oldest: undefined })
    expect(done.errors.data.map(({ code, line }: { code: string; line: number }) => [line, code])).toEqual([
      [2, 'invalid_json_line'],
      [3, 'duplicate_custom_id'],
      [4, 'invalid_method'],
      [5, 'url_mismatch'],
      [6, 'missing_required_parameter'],
    ])
    expect(batch.scene.upstream.received).toEqual([])
    const none = await create([''])
    expect((await ended(none.json.id)).errors.data).toMatchObject([{ code: 'empty_file', line: null }])
  })

  it('end when they are cancelled: lines under way are delivered, the rest is not begun', async () => {
    const waiting = holdAnswers()
    const made = await create(names(12).map((name) => chatLine(name)))
    await expect.poll(() => waiting.length).toBe(4)
    expect((await batch.call('POST', `/v1/batches/${made.json.id}/cancel`)).json).toMatchObject({
      status: 'cancelling',
    })
    await new Promise((resolve) => setTimeout(resolve, 1500))
    for (const answer of waiting) answer()
    const done = await ended(made.json.id)
    expect(done).toMatchObject({ status: 'cancelled', request_counts: { total: 12, completed: 4, failed: 0 } })
    expect(await linesOf(done.output_file_id)).toHaveLength(4)
    const rest = await linesOf(done.error_file_id)
    expect(rest.map(({ error, response }) => [error?.code, response])).toEqual(
      Array.from({ length: 8 }, () => ['batch_cancelled', null]),
    )
    expect(waiting).toHaveLength(4)
    expect((await charges()).count).toBe(4)
    expect((await batch.call('POST', `/v1/batches/${made.json.id}/cancel`)).status).toBe(409)
  })

  it('expire: lines under way are delivered, the rest is not begun', async () => {
    const waiting = holdAnswers()
    const made = await create(names(6).map((name) => chatLine(name)))
    await expect.poll(() => waiting.length).toBe(4)
    batch.pass(86_401)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    for (const answer of waiting) answer()
    const done = await ended(made.json.id)
    expect(done).toMatchObject({ status: 'expired', request_counts: { total: 6, completed: 4, failed: 0 } })
    const rest = await linesOf(done.error_file_id)
    expect(rest.map(({ error }) => error?.code)).toEqual(['batch_expired', 'batch_expired'])
    expect(waiting).toHaveLength(4)
  })

  it('wait for a limit, and make the line again', async () => {
    let refused = 0
    batch.scene.upstream.answer = (call) => {
      if (refused >= 3) return json(completion('ok'))(call)
      refused += 1
      json({ error: { message: 'slow down', type: 'rate_limit_error' } }, 429, { 'retry-after': '1' })(call)
    }
    const made = await create([chatLine('a'), chatLine('b')])
    const done = await ended(made.json.id)
    expect(done.request_counts).toEqual({ total: 2, completed: 2, failed: 0 })
    expect(refused).toBe(3)
    expect((await charges()).count).toBe(2)
  })

  it('count once in the rate limit, and each line once, however often its provider refuses it', async () => {
    const rateLimit = { enabled: true, minutes: 5, count: 4, successCount: 1000 }
    batch.scene.gateway.parts.settings = { ...testOptions, rateLimit }
    let refused = 0
    batch.scene.upstream.answer = (call) => {
      if (refused >= 3) return json(completion('ok'))(call)
      refused += 1
      json({ error: { message: 'slow down', type: 'rate_limit_error' } }, 429, { 'retry-after': '1' })(call)
    }
    await create([chatLine('a'), chatLine('b')])
    const state = async () => (await database.query.selectFrom('batches').select('state').executeTakeFirst())?.state
    await expect.poll(state, { timeout: 30_000 }).toBe('completed')
    expect(refused).toBe(3)
    const { call } = batch
    expect((await call('GET', '/v1/batches')).status).toBe(200)
    expect((await call('GET', '/v1/batches')).status).toBe(429)
  })

  it('make a line again whose result was not written, and charge it once', async () => {
    const made = await create(names(6).map((name) => chatLine(name)))
    const { id } = await database.query.selectFrom('batches').select(['id']).executeTakeFirstOrThrow()
    await ended(made.json.id)
    const { quota } = await charges()
    await database.query
      .updateTable('batches')
      .set({ ...unwritten, next_time: 0 })
      .where('id', '=', id)
      .execute()
    const second = batch.another()
    second.useGateway(batch.gatewayKit)
    const done = await ended(made.json.id)
    expect(done.request_counts).toEqual({ total: 6, completed: 6, failed: 0 })
    expect(batch.scene.upstream.received).toHaveLength(12)
    expect(await charges()).toEqual({ count: 6, quota })
    await second.close()
  })

  it('make a line again that was paid with the last of its key', async () => {
    const { made } = await withTooLittle()
    const { request_counts: counts } = await ended(made.json.id)
    expect(counts.completed).toBeGreaterThan(0)
    expect(counts.failed).toBeGreaterThan(0)
    const before = { charges: await charges(), ...(await batch.scene.balances()) }
    await database.query
      .updateTable('batches')
      .set({ ...unwritten, next_time: 0 })
      .where('object_id', '=', made.json.id.replace('batch_', ''))
      .execute()
    const second = batch.another()
    second.useGateway(batch.gatewayKit)
    const done = await ended(made.json.id)
    expect(done.request_counts).toEqual(counts)
    const lines = await linesOf(done.output_file_id)
    expect(lines.map(({ response }) => response?.status_code)).toEqual(Array(counts.completed).fill(200))
    expect({ charges: await charges(), ...(await batch.scene.balances()) }).toEqual(before)
    await second.close()
  })

  it('wait for charges that only the journal of a dead process has, and make their lines then', async () => {
    const { made } = await withTooLittle({ journalMs: 240_000 })
    const { request_counts: counts } = await ended(made.json.id)
    const before = { charges: await charges(), ...(await batch.scene.balances()) }
    const id = made.json.id.replace('batch_', '')
    // The ledger does not know these charges yet; other calls have used up the rest.
    const rename = async (from: string, to: string): Promise<void> => {
      await database.query
        .updateTable('ledger_entries')
        .set({ movement: sql<string>`replace(movement, ${from}, ${to})` })
        .where('movement', 'like', `${from}${id}%`)
        .execute()
    }
    const refused = new Map<string, number>()
    const { ownCalls } = batch.scene.gateway.listener
    const { collect } = ownCalls
    Object.assign(ownCalls, {
      collect: async (call: { readonly id: string }, mostBytes: number) => {
        const answer = await collect(call as Parameters<typeof collect>[0], mostBytes)
        if (answer.status === 403) refused.set(call.id, (refused.get(call.id) ?? 0) + 1)
        return answer
      },
    })
    await rename('batch-', 'away-')
    await database.query
      .updateTable('batches')
      .set({ ...unwritten, next_time: 0, attempts: 1 })
      .where('object_id', '=', id)
      .execute()
    refused.clear()
    const mostRefused = (): number => Math.max(0, ...refused.values())
    await expect.poll(mostRefused, { timeout: 30_000 }).toBeGreaterThan(2)
    expect(await read(made.json.id)).toMatchObject({ status: 'in_progress', request_counts: { failed: 0 } })
    await rename('away-', 'batch-')
    await expect
      .poll(async () => (await read(made.json.id)).request_counts.completed, { timeout: 30_000 })
      .toBe(counts.completed)
    expect((await read(made.json.id)).request_counts.failed).toBe(0)
    await batch.call('POST', `/v1/batches/${made.json.id}/cancel`)
    const done = await ended(made.json.id)
    const lines = await linesOf(done.output_file_id)
    expect(lines.map(({ response }) => response?.status_code)).toEqual(Array(counts.completed).fill(200))
    expect({ charges: await charges(), ...(await batch.scene.balances()) }).toEqual(before)
  })

  it('go on in another process at once when theirs ends, and no line is made twice', async () => {
    const waiting = holdAnswers()
    const made = await create(names(12).map((name) => chatLine(name)))
    await expect.poll(() => waiting.length).toBe(4)
    const { listener } = batch.scene.gateway
    listener.endSessions('soon')
    for (const answer of waiting) answer()
    await expect.poll(async () => (await read(made.json.id)).request_counts.completed).toBe(4)
    batch.scene.upstream.answer = json(completion('ok'))
    const other = batch.another()
    const ownCalls = { ...listener.ownCalls, ending: new AbortController().signal }
    other.useGateway({ ...batch.gatewayKit, ownCalls })
    expect((await ended(made.json.id)).request_counts).toEqual({ total: 12, completed: 12, failed: 0 })
    expect(batch.scene.upstream.received).toHaveLength(12)
    expect((await charges()).count).toBe(12)
    await other.close()
  })

  it('hold the quota of their key: a line that it cannot pay is refused, and charges nothing', async () => {
    const { made, quota } = await withTooLittle()
    const done = await ended(made.json.id)
    const { completed, failed, total } = done.request_counts
    expect([completed + failed, total]).toEqual([12, 12])
    expect(Math.min(completed, failed)).toBeGreaterThan(0)
    for (const { response } of await linesOf(done.error_file_id)) expect(response?.status_code).toBe(403)
    const { token } = await batch.scene.balances()
    expect(token).toBe(quota * (17 - completed))
    expect(token).toBeGreaterThanOrEqual(0)
  })

  it('are of their maker alone, and listed newest first', async () => {
    const first = await create([chatLine('a')])
    const second = await create([chatLine('b')])
    const list = async (query: string) => (await batch.call('GET', `/v1/batches${query}`)).json
    expect(await list('?limit=1')).toMatchObject({ data: [{ id: second.json.id }], has_more: true, object: 'list' })
    expect(await list(`?limit=1&after=${second.json.id}`)).toMatchObject({
      data: [{ id: first.json.id }],
      has_more: false,
    })
    const { gateway } = batch.scene
    const own = gateway.tokens.get('good')
    if (own?.user === undefined) throw new Error('no key')
    gateway.tokens.set('other', { ...own, tokenId: own.tokenId + 1000, user: { ...own.user, id: own.user.id + 1000 } })
    const other = { authorization: 'Bearer sk-other' }
    for (const [method, path] of [
      ['GET', `/v1/batches/${first.json.id}`],
      ['POST', `/v1/batches/${first.json.id}/cancel`],
      ['GET', `/v1/batches?after=${first.json.id}`],
    ] as const)
      expect((await batch.call(method, path, undefined, other)).status).toBe(404)
    expect((await batch.call('GET', '/v1/batches', undefined, other)).json.data).toEqual([])
    const file = await batch.file([chatLine('a')])
    const asked = { input_file_id: file, endpoint: '/v1/chat/completions', completion_window: '24h' }
    expect((await batch.call('POST', '/v1/batches', asked, other)).status).toBe(404)
  })

  it('refuse what cannot be a batch', async () => {
    const refused = async (more: object) => (await create([chatLine('a')], more)).json.error
    expect(await refused({ endpoint: '/v1/models' })).toMatchObject({ code: 'batch_request_invalid' })
    expect(await refused({ completion_window: '1h' })).toMatchObject({ code: 'batch_request_invalid' })
    expect(await refused({ metadata: { a: 1 } })).toMatchObject({ code: 'batch_request_invalid' })
    expect(await refused({ input_file_id: 'file-none' })).toMatchObject({ code: 'kept_file_not_found' })
    expect(await refused({ input_file_id: await batch.file([chatLine('a')], 'assistants') })).toMatchObject({
      code: 'batch_request_invalid',
    })
    const waiting = holdAnswers()
    for (let count = 0; count < 5; count += 1) expect((await create([chatLine('a')])).status).toBe(200)
    expect(await refused({})).toMatchObject({ code: 'batches_full' })
    await expect.poll(() => waiting.length).toBe(4)
    for (const answer of waiting) answer()
    batch.scene.upstream.answer = json(completion('ok'))
    const last = (await batch.call('GET', '/v1/batches')).json.data[0].id
    expect((await ended(last)).status).toBe('completed')
  })
})
