import { expect, it } from 'vitest'
import { json } from '../support/batches/batch-provider.ts'
import { openBatchScene } from '../support/batches/batch-scene.ts'
import { answered, inputFile, openaiBatch } from '../support/batches/openai-lines.ts'
import { describeWithDatabase } from '../support/db/databases.ts'

const mebibyte = 1024 * 1024

describeWithDatabase('results of a batch', (open) => {
  it('of 160 MB are read without being held', async () => {
    const scene = await openBatchScene(await open())
    const node = await scene.node()
    const { answers } = scene.provider
    answers.set('POST /v1/files', json({ id: 'file-in', object: 'file', purpose: 'batch' }))
    answers.set('POST /v1/batches', json(openaiBatch('validating')))
    answers.set('GET /v1/batches/batch_1', json(openaiBatch('completed', { output_file_id: 'file-out' })))
    const line = `${JSON.stringify({ ...answered('gpt-5.5', 100, 10), text: 'x'.repeat(2500) })}\n`
    const count = 60_000
    let most = 0
    answers.set('GET /v1/files/file-out/content', async (_, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' })
      for (let index = 0; index < count; index += 1) {
        if (index % 1000 === 0) most = Math.max(most, process.memoryUsage().arrayBuffers)
        if (!response.write(line)) await new Promise((resolve) => response.once('drain', resolve))
      }
      response.end()
    })
    await node.post('/v1/files', inputFile('gpt-5.5', 1))
    await node.post('/v1/batches', { input_file_id: 'file-in' })
    const before = process.memoryUsage().arrayBuffers
    await node.get('/v1/batches/batch_1')
    await node.settled()
    // 100 × 1.25 + 10 × 7.5 units a line.
    expect((await scene.charges()).map(({ amount }) => amount)).toEqual([-200 * count])
    // Buffers that were read stay until they are collected; a whole result would be twice as much.
    expect(most - before).toBeLessThan(80 * mebibyte)
    await scene.close()
  })
})
