import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { openTokenCounter } from './token-counter.ts'

const counter = openTokenCounter()
afterAll(() => counter.close())
const own: ReturnType<typeof openTokenCounter>[] = []
afterEach(async () => {
  await Promise.all(own.splice(0).map((opened) => opened.close()))
})

describe('the counter', () => {
  it('counts with the vocabulary of the model', async () => {
    const text = '你好，世界'
    expect(await Promise.all([counter.text('gpt-4', text), counter.text('gpt-4o', text)])).toEqual([6, 3])
  })

  it('counts a whole request', async () => {
    // 3 + "user" 1 + "Hello, world!" 4 + 3
    const body = { messages: [{ role: 'user', content: 'Hello, world!' }] }
    expect(await counter.prompt('gpt-4o', '/v1/chat/completions', body)).toBe(11)
  })

  it('takes control tokens for text', async () => {
    expect(await counter.text('gpt-4o', '<|endoftext|>')).toBeGreaterThan(1)
  })

  it('counts very long texts in full', async () => {
    expect(await counter.text('gpt-4o', 'Hello, world! '.repeat(50_000))).toBe(50_000 * 4 + 1)
  })

  it('answers a short text before a long one that came first', async () => {
    const order: string[] = []
    const long = counter.text('gpt-4o', 'Many different words. '.repeat(100_000)).then(() => order.push('long'))
    const short = counter.text('gpt-4o', 'short').then(() => order.push('short'))
    await Promise.all([long, short])
    expect(order).toEqual(['short', 'long'])
  })

  it('counts nothing as nothing', async () => {
    expect([await counter.text('gpt-4o', ''), await counter.prompt('gpt-4o', '/v1/embeddings', {})]).toEqual([0, 0])
  })

  it.each([
    ['dies', 'parentPort.on("message", () => process.exit(1))'],
    ['throws', 'parentPort.on("message", () => { throw new Error("broken") })'],
    ['cannot even start', 'throw new Error("broken")'],
  ])('estimates when its thread %s, each time anew', async (_, code) => {
    const source = `import { parentPort } from 'node:worker_threads'; ${code}`
    const broken = openTokenCounter({ script: new URL(`data:text/javascript,${encodeURIComponent(source)}`) })
    own.push(broken)
    expect(await broken.text('gpt-4o', 'x'.repeat(4001))).toBe(1001)
    expect(await broken.text('gpt-4o', 'x'.repeat(8001))).toBe(2001)
  })

  it('estimates what it was still counting when it was closed, and what comes later', async () => {
    const closed = openTokenCounter()
    own.push(closed)
    const pending = closed.text('gpt-4o', 'x'.repeat(4001))
    await closed.close()
    expect(await pending).toBe(1001)
    expect(await closed.text('gpt-4o', 'five!')).toBe(2)
  })
})
