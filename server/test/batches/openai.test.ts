import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { type Answer, json, lines } from '../support/batches/batch-provider.ts'
import { type BatchNode, type BatchScene, openBatchScene } from '../support/batches/batch-scene.ts'
import { answered, failedLine, inputFile, openaiBatch } from '../support/batches/openai-lines.ts'
import { describeEachEngine } from '../support/db/databases.ts'
import { openTestLimiter } from '../support/limits/limiter.ts'

describeEachEngine('a batch of OpenAI', (open) => {
  let database: Database
  let scene: BatchScene
  let node: BatchNode

  const begin = async (parts: Parameters<typeof openBatchScene>[1] = {}): Promise<void> => {
    scene = await openBatchScene(database, parts)
    node = await scene.node()
    const { answers } = scene.provider
    answers.set('POST /v1/files', json({ id: 'file-in', object: 'file', purpose: 'batch' }))
    answers.set('POST /v1/batches', json(openaiBatch('validating')))
    answers.set('GET /v1/batches/batch_1', json(openaiBatch('in_progress')))
  }
  beforeEach(async () => {
    database = await open()
    await begin()
  })
  afterEach(() => scene.close())

  const create = () => node.post('/v1/batches', { input_file_id: 'file-in', endpoint: '/v1/chat/completions' })
  const make = async (model = 'gpt-5.5', count = 1): Promise<void> => {
    expect((await node.post('/v1/files', inputFile(model, count))).status).toBe(200)
    expect((await create()).status).toBe(200)
  }
  const end = (status: string, results: Answer, more: object = {}): void => {
    const { answers } = scene.provider
    answers.set('GET /v1/batches/batch_1', json(openaiBatch(status, { output_file_id: 'file-out', ...more })))
    answers.set('GET /v1/files/file-out/content', results)
  }
  const amounts = async (): Promise<readonly number[]> => {
    await node.settled()
    return (await scene.charges()).map(({ amount }) => amount)
  }

  it('of 2.5 M tokens costs 12.50 $, once, from the first read that sees it completed', async () => {
    await make()
    await node.settled()
    const before = await scene.quota()
    // Half of 5 $ and 30 $ a million: 2 M × 2.50 $ + 0.5 M × 15 $ = 12.50 $, of 500,000 units each.
    const tokens = Array.from({ length: 100 }, () => answered('gpt-5.5-2026-04-23', 20_000, 5000))
    end('completed', lines([...tokens, failedLine]), { request_counts: { total: 101, completed: 100, failed: 1 } })
    expect((await node.get('/v1/batches/batch_1')).status).toBe(200)
    expect(await amounts()).toEqual([-6_250_000])
    await node.get('/v1/batches/batch_1')
    await node.get('/v1/files/file-out/content')
    expect(await amounts()).toEqual([-6_250_000])
    const [charge] = await scene.charges()
    expect(charge?.token_id).toBe(scene.tokenId)
    expect(JSON.parse(charge?.detail ?? '')).toMatchObject({ tier: { name: 'batch' }, estimated: false })
    expect(before - (await scene.quota())).toBe(6_250_000)
    const [row, ...more] = await scene.logs()
    expect(more).toEqual([])
    const figures = { quota: 6_250_000, prompt_tokens: 2_000_000, completion_tokens: 500_000 }
    expect(row).toMatchObject({ model_name: 'gpt-5.5', ...figures })
    expect(JSON.parse(row?.other ?? '')).toMatchObject({ batch: { id: 'batch_1', lines: 101, done: 100 } })
    expect(await scene.differences()).toEqual([])
    expect(node.pending()).toBe(0)
  })

  it('is not charged when it is made, and holds what its lines may cost', async () => {
    await make('gpt-5.5', 10)
    await node.settled()
    expect(await amounts()).toEqual([])
    // The upload alone has the price of a call.
    expect(1_000_000_000 - (await scene.quota())).toBe(5000)
    // 10 × 100 tokens of the answers at 15 $ a million are 7500 units; the prompts come on top.
    expect(node.pending()).toBeGreaterThan(7500)
    expect(node.pending()).toBeLessThan(9500)
    await node.get('/v1/batches/batch_1')
    await node.settled()
    expect(node.pending()).toBeGreaterThan(7500)
  })

  it('is charged at once where its provider calls about it, and not asked for more often than every five seconds', async () => {
    await make()
    await node.settled()
    const looks = (): number => scene.provider.received.filter((one) => one === 'GET /v1/batches/batch_1').length
    expect([await node.store.nudge(8, 'batch_1'), await node.store.nudge(7, 'batch_2')]).toEqual([false, false])
    expect(await node.store.nudge(7, 'batch_1')).toBe(true)
    await node.poll.work()
    expect(looks()).toBe(1)
    expect(await node.store.nudge(7, 'batch_1')).toBe(false)
    scene.later(5_000)
    end('completed', lines([answered('gpt-5.5', 2000, 200)]))
    expect(await node.store.nudge(7, 'batch_1')).toBe(true)
    await node.poll.work()
    expect(await amounts()).toEqual([-4000])
    expect(await node.store.nudge(7, 'batch_1')).toBe(false)
  })

  it('is refused where less is free than its lines may cost', async () => {
    await scene.close()
    await begin({ balance: 20_000 })
    expect((await node.post('/v1/files', inputFile('gpt-5.5', 100))).status).toBe(200)
    const refused = await create()
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('quota')])
    expect(scene.provider.received).not.toContain('POST /v1/batches')
    expect(node.pending()).toBe(0)
  })

  it('counts in budgets, which refuse one that may cost more', async () => {
    await scene.close()
    const limiter = openTestLimiter([{ measure: 'money', amount: 15_000, window: 'day', subjects: [{ kind: 'key' }] }])
    await begin({ callLimits: limiter })
    expect((await node.post('/v1/files', inputFile('gpt-5.5', 5))).status).toBe(200)
    expect((await create()).status).toBe(200)
    end('completed', lines([answered('gpt-5.5', 2000, 200)]))
    await node.get('/v1/batches/batch_1')
    expect(await amounts()).toEqual([-4000])
    // The uploads and the batch come to 14,000; ten answers of at most 100 tokens are 7500.
    expect((await node.post('/v1/files', inputFile('gpt-5.5', 10))).status).toBe(200)
    expect((await create()).status).toBe(429)
  })

  it('that is answered twice for one request is one, with one hold', async () => {
    await make('gpt-5.5', 10)
    await node.settled()
    const held = node.pending()
    expect((await create()).status).toBe(200)
    await node.settled()
    expect(node.pending()).toBe(held)
    end('completed', lines([answered('gpt-5.5', 1000, 100)]))
    await node.get('/v1/batches/batch_1')
    expect(await amounts()).toEqual([-2000])
    expect((await create()).status).toBe(200)
    await node.settled()
    expect(node.pending()).toBe(0)
  })

  it('that the database does not take costs at once what it may cost, marked', async () => {
    expect((await node.post('/v1/files', inputFile('gpt-5.5', 10))).status).toBe(200)
    await node.settled()
    const before = await scene.quota()
    await sql`alter table direct_batches rename to direct_batches_away`.execute(database.query)
    expect((await create()).status).toBe(200)
    await sql`alter table direct_batches_away rename to direct_batches`.execute(database.query)
    await node.settled()
    const cost = before - (await scene.quota())
    expect(cost).toBeGreaterThan(7500)
    expect(node.pending()).toBe(0)
    const charge = await database.query
      .selectFrom('ledger_entries')
      .select('detail')
      .where('amount', '=', 0 - cost)
      .executeTakeFirstOrThrow()
    expect(JSON.parse(charge.detail).provisional).toMatchObject([{ place: 'batch', name: 'not_noted' }])
    expect(await scene.differences()).toEqual([])
  })

  it('is refused where its key has less', async () => {
    await scene.close()
    await begin({ remain: 20_000 })
    expect((await node.post('/v1/files', inputFile('gpt-5.5', 100))).status).toBe(200)
    expect((await create()).status).toBe(403)
    expect(scene.provider.received).not.toContain('POST /v1/batches')
  })

  it('holds the price of a call where its lines are not known', async () => {
    expect((await node.post('/v1/batches', { input_file_id: 'file-in' })).status).toBe(404)
    scene.madeObjects.note(
      [
        { kind: 'files', id: 'file-in' },
        { kind: 'batch_inputs', id: 'file-in' },
      ],
      { userId: scene.userId, tokenId: scene.tokenId, projectId: 0, memberId: 0 },
      { channelId: 7, key: 'sk-account' },
    )
    expect((await create()).status).toBe(200)
    await node.settled()
    expect([node.pending(), await scene.quota()]).toEqual([5000, 1_000_000_000])
    end('completed', lines([answered('gpt-5.5', 1000, 100)]))
    await node.get('/v1/batches/batch_1')
    expect(await amounts()).toEqual([-2000])
  })

  it.each(['cancelled', 'expired'])('that is %s costs the lines that were done', async (status) => {
    await make('gpt-5.5', 3)
    end(status, lines([answered('gpt-5.5', 1000, 100)]), { request_counts: { total: 3, completed: 1, failed: 0 } })
    await node.get('/v1/batches/batch_1')
    // 1000 × 2.50 $ + 100 × 15 $ a million = 0.004 $.
    expect(await amounts()).toEqual([-2000])
    expect(node.pending()).toBe(0)
  })

  it('of which nothing was done costs nothing, and holds nothing any more', async () => {
    await make('gpt-5.5', 3)
    scene.provider.answers.set(
      'GET /v1/batches/batch_1',
      json(openaiBatch('failed', { request_counts: { total: 3, completed: 0, failed: 3 } })),
    )
    await node.get('/v1/batches/batch_1')
    expect(await amounts()).toEqual([0])
    expect(node.pending()).toBe(0)
    expect(await scene.differences()).toEqual([])
  })

  it('costs each line at the price of the model that it states', async () => {
    await make()
    end('completed', lines([answered('gpt-5.5', 1_000_000, 0), answered('gpt-4o', 1_000_000, 0)]))
    await node.get('/v1/batches/batch_1')
    await node.settled()
    const [charge] = await scene.charges()
    const receipt = JSON.parse(charge?.detail ?? '')
    // Long prompts of gpt-5.5 cost twice; gpt-4o is 2.50 $ a million, and half of that in a batch.
    expect(receipt.models).toHaveLength(1)
    expect(new Set([receipt.model, receipt.models[0].model].filter(Boolean))).toContain('gpt-4o')
    expect(charge?.amount).toBe(-(2_500_000 + 625_000))
    expect(await scene.differences()).toEqual([])
  })

  it('is priced by the length of each prompt, whatever they come to together', async () => {
    await make()
    const short = Array.from({ length: 10 }, () => answered('gpt-5.5', 100_000, 0))
    end('completed', lines([...short, answered('gpt-5.5', 300_000, 0)]))
    await node.get('/v1/batches/batch_1')
    // 1 M × 2.50 $, and 0.3 M × 5 $ above 272,000 tokens: 4 $.
    expect(await amounts()).toEqual([-2_000_000])
  })

  it('is marked where a member of the usage is not known', async () => {
    await make()
    end('completed', lines([answered('gpt-5.5', 1000, 100, { dream_tokens: 1000 }), answered('gpt-5.5', 1000, 100)]))
    await node.get('/v1/batches/batch_1')
    // 0.004 $ twice, and 1000 tokens as completions.
    expect(await amounts()).toEqual([-(4000 + 7500)])
    const [charge] = await scene.charges()
    expect(JSON.parse(charge?.detail ?? '').provisional).toMatchObject([{ kind: 'usage', name: 'dream_tokens' }])
  })

  it('costs the sum that it states, marked, where its results are gone', async () => {
    await make()
    const usage = { input_tokens: 1000, output_tokens: 100, total_tokens: 1100 }
    end('completed', json({ error: {} }, 404), { usage, request_counts: { total: 1, completed: 1, failed: 0 } })
    await node.get('/v1/batches/batch_1')
    expect(await amounts()).toEqual([-2000])
    const [charge] = await scene.charges()
    expect(JSON.parse(charge?.detail ?? '').provisional).toMatchObject([{ place: 'batch', name: 'results_unread' }])
    expect(await scene.differences()).toEqual([])
  })

  it('costs its lines where these and the stated sum differ', async () => {
    await make()
    end('completed', lines([answered('gpt-5.5', 1000, 100)]), { usage: { input_tokens: 5, output_tokens: 1 } })
    await node.get('/v1/batches/batch_1')
    expect(await amounts()).toEqual([-2000])
  })

  it('is not there for others, who neither read nor settle it', async () => {
    await make()
    end('completed', lines([answered('gpt-5.5', 1000, 100)]))
    expect((await node.get('/v1/batches/batch_1', { as: 'ben' })).status).toBe(404)
    expect(await amounts()).toEqual([])
    expect((await node.get('/v1/batches/batch_2')).status).toBe(404)
  })

  it('is charged where it is seen in a list', async () => {
    await make()
    end('completed', lines([answered('gpt-5.5', 1000, 100)]))
    const list = { object: 'list', data: [openaiBatch('completed', { output_file_id: 'file-out' })], has_more: false }
    scene.provider.answers.set('GET /v1/batches', json(list))
    expect((await node.get('/v1/batches')).status).toBe(200)
    expect(await amounts()).toEqual([-2000])
  })

  it('is charged where the answer to its cancellation shows that it is over', async () => {
    await make()
    end('cancelled', lines([answered('gpt-5.5', 1000, 100)]))
    const over = openaiBatch('cancelled', { output_file_id: 'file-out' })
    scene.provider.answers.set('POST /v1/batches/batch_1/cancel', json(over))
    expect((await node.post('/v1/batches/batch_1/cancel', {})).status).toBe(200)
    expect(await amounts()).toEqual([-2000])
  })

  it('is charged without anybody who reads it', async () => {
    await make()
    end('completed', lines([answered('gpt-5.5', 1000, 100)]))
    await node.poll.work()
    scene.later(16 * 60_000)
    await node.poll.work()
    expect(await amounts()).toEqual([-2000])
    const reads = scene.provider.received.length
    scene.later(16 * 60_000)
    await node.poll.work()
    expect(scene.provider.received).toHaveLength(reads)
  })

  it('is charged before its results are deleted', async () => {
    await make()
    end('completed', json({}, 500))
    await node.get('/v1/batches/batch_1')
    expect(await amounts()).toEqual([])
    end('completed', lines([answered('gpt-5.5', 1000, 100)]))
    scene.provider.answers.set('DELETE /v1/files/file-out', json({ id: 'file-out', deleted: true }))
    expect((await node.delete('/v1/files/file-out')).status).toBe(200)
    expect(scene.provider.received.at(-1)).toBe('DELETE /v1/files/file-out')
    expect(await amounts()).toEqual([-2000])
  })

  it('is tried again where the provider does not answer, and charged by what it may cost in the end', async () => {
    await make('gpt-5.5', 10)
    await node.settled()
    const held = node.pending()
    end('completed', json({}, 500))
    await node.get('/v1/batches/batch_1')
    expect(await amounts()).toEqual([])
    for (let turn = 0; turn < 25; turn += 1) {
      scene.later(7 * 3_600_000)
      await node.poll.work()
    }
    expect(await amounts()).toEqual([-held])
    expect(await scene.differences()).toEqual([])
  })

  it('keeps its hold when its process ends, and is charged by another', async () => {
    await make('gpt-5.5', 10)
    await node.settled()
    const held = node.pending()
    await node.crash()
    const again = await scene.node()
    expect(again.pending()).toBe(0)
    await again.holding.resume()
    expect(again.pending()).toBe(held)
    const other = await scene.node('two')
    await again.crash()
    await other.holding.tick()
    expect(other.pending()).toBe(0)
    scene.later(200_000)
    await other.holding.tick()
    expect(other.pending()).toBe(held)
    node = other
    end('completed', lines([answered('gpt-5.5', 1000, 100)]))
    await other.get('/v1/batches/batch_1')
    expect(await amounts()).toEqual([-2000])
    expect(other.pending()).toBe(0)
  })

  it('releases what it held when another node has charged it', async () => {
    await make('gpt-5.5', 10)
    const other = await scene.node('two')
    end('completed', lines([answered('gpt-5.5', 1000, 100)]))
    await other.get('/v1/batches/batch_1')
    await other.settled()
    expect(await amounts()).toEqual([-2000])
    expect(node.pending()).toBeGreaterThan(0)
    await node.holding.tick()
    expect(node.pending()).toBe(0)
  })
})
