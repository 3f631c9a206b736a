import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cost } from '../../src/billing/cost.ts'
import { noUsage } from '../../src/billing/usage.ts'
import { json, lines } from '../support/batches/batch-provider.ts'
import { type BatchNode, openBatchScene, shippedPrices } from '../support/batches/batch-scene.ts'
import { answered, failedLine, inputFile, openaiBatch } from '../support/batches/openai-lines.ts'
import { describeEachEngine } from '../support/db/databases.ts'

/** Events after the end of a batch, in any order, on two nodes of which each may end and begin again. */
const steps = [
  'read object',
  'read results',
  'list',
  'poll',
  'both read',
  'kill',
  'kill while reading',
  'fail',
  'lose the mark',
] as const

const result = fc.record({
  // An answer that states no tokens at all has stated nothing: it is charged for what its line asked.
  prompt: fc.integer({ min: 1, max: 400_000 }),
  completion: fc.nat(5000),
  failed: fc.boolean(),
})

describeEachEngine('a batch with kills and replays', (open) => {
  it('is charged once, the sum of its lines', async () => {
    const price = (await shippedPrices()).of('gpt-5.5', 'default', { acceptsUnpriced: false })
    if (price === undefined) throw new Error('no price')
    const database = await open()
    let batches = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(result, { minLength: 1, maxLength: 8 }),
        fc.array(fc.tuple(fc.constantFrom(...steps), fc.nat(1)), { minLength: 1, maxLength: 6 }),
        async (results, turns) => {
          batches += 1
          const id = `batch_${batches}`
          const scene = await openBatchScene(database)
          const { answers } = scene.provider
          answers.set('POST /v1/files', json({ id: 'file-in', object: 'file', purpose: 'batch' }))
          answers.set('POST /v1/batches', json(openaiBatch('validating', { id })))
          const directories = ['one', 'two']
          const nodes: BatchNode[] = [await scene.node('one'), await scene.node('two')]
          const nodeAt = (index: number): BatchNode => nodes[index] as BatchNode
          try {
            await nodeAt(0).post('/v1/files', inputFile('gpt-5.5', results.length))
            await nodeAt(0).post('/v1/batches', { input_file_id: 'file-in', endpoint: '/v1/chat/completions' })
            const over = openaiBatch('completed', { id, output_file_id: 'file-out' })
            answers.set(`GET /v1/batches/${id}`, json(over))
            answers.set('GET /v1/batches', json({ object: 'list', data: [over], has_more: false }))
            const file = results.map(({ prompt, completion, failed }) =>
              failed ? failedLine : answered('gpt-5.5', prompt, completion),
            )
            const whole = lines(file)
            answers.set('GET /v1/files/file-out/content', whole)
            const restart = async (index: number): Promise<void> => {
              await nodeAt(index).crash()
              nodes[index] = await scene.again(directories[index] ?? '', nodeAt(index))
              await nodeAt(index).holding.resume()
            }
            const take = {
              'read object': (node: BatchNode) => node.get(`/v1/batches/${id}`),
              'read results': (node: BatchNode) => node.get('/v1/files/file-out/content'),
              list: (node: BatchNode) => node.get('/v1/batches'),
              async poll(node: BatchNode) {
                scene.later(3_600_000)
                await node.poll.work()
              },
              'both read': () => Promise.all(nodes.map((node) => node.get(`/v1/batches/${id}`))),
              kill: (_: BatchNode, index: number) => restart(index),
              async 'kill while reading'(node: BatchNode, index: number) {
                await node.get(`/v1/batches/${id}`)
                await restart(index)
              },
              async fail(node: BatchNode) {
                answers.set('GET /v1/files/file-out/content', (_, response) => {
                  response.writeHead(200, { 'content-type': 'application/octet-stream' })
                  response.write(`${JSON.stringify(file[0])}\n`, () => response.destroy())
                })
                await node.get(`/v1/batches/${id}`)
                await node.settled()
                answers.set('GET /v1/files/file-out/content', whole)
              },
              // The process ended when the charge was in the journal, and before the batch was marked.
              async 'lose the mark'(node: BatchNode) {
                await node.get(`/v1/batches/${id}`)
                await node.settled()
                await database.query
                  .updateTable('direct_batches')
                  .set({ state: 'open' })
                  .where('object_id', '=', id)
                  .execute()
              },
            }
            for (const [step, index] of turns) await take[step](nodeAt(index), index)
            for (const node of nodes) await node.settled()
            scene.later(24 * 3_600_000)
            await nodeAt(0).poll.work()
            for (const node of nodes) await node.settled()
            await nodeAt(1).get(`/v1/batches/${id}`)
            for (const node of nodes) await node.settled()
            const done = results.filter(({ failed }) => !failed)
            const exact = done.reduce(
              (sum, { prompt, completion }) =>
                // No half units here: 2.50 $ and 15 $ a million are 1.25 and 7.5 units a token.
                sum +
                cost({ ...noUsage, input: prompt * 4, output: completion * 4, tier: 'batch' }, ofLength(prompt)) / 4,
              0,
            )
            expect((await scene.charges()).map(({ amount }) => 0 - amount)).toEqual([Math.round(exact)])
            expect(await scene.logs()).toHaveLength(1)
            expect(await scene.differences()).toEqual([])
            for (const node of nodes) {
              await node.holding.tick()
              expect(node.pending()).toBe(0)
            }
          } finally {
            await scene.close()
          }
        },
      ),
      { numRuns: Number(process.env.BATCH_RUNS ?? 6) },
    )
    /** The price of one prompt of this length, for four times its tokens. */
    function ofLength(prompt: number) {
      const { contexts, inTiers, ...rest } = price as NonNullable<typeof price>
      const at = (own: { readonly rates: typeof rest.rates; readonly contexts?: typeof contexts }) => ({
        rates: own.contexts?.findLast(({ above }) => prompt > above)?.rates ?? own.rates,
      })
      const tiers = Object.fromEntries(Object.entries(inTiers ?? {}).map(([name, tier]) => [name, at(tier)]))
      return { ...rest, ...at({ rates: rest.rates, ...(contexts && { contexts }) }), inTiers: tiers }
    }
  })
})
