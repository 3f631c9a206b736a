import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { promptReader as chat } from '../../dialects/openai-chat/prompt.ts'
import { encodingOf, openTokenCounter } from './token-counter.ts'

const counter = openTokenCounter()
afterAll(() => counter.close())
const opened: ReturnType<typeof openTokenCounter>[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()))
})

describe('the counter', () => {
  it('counts with the vocabulary of the model', async () => {
    const text = '你好，世界'
    expect(await Promise.all([counter.text('gpt-4', text), counter.text('gpt-4o', text)])).toEqual([6, 3])
  })

  it('counts a whole request', async () => {
    // 3 + "user" 1 + "Hello, world!" 4 + 3
    const body = { messages: [{ role: 'user', content: 'Hello, world!' }] }
    expect(await counter.prompt('gpt-4o', chat, body)).toBe(11)
  })

  it('counts names of control tokens as text', async () => {
    expect(await counter.text('gpt-4o', '<|endoftext|>')).toBeGreaterThan(1)
  })

  it('counts very long texts in full', async () => {
    expect(await counter.text('gpt-4o', 'Hello, world! '.repeat(50_000))).toBe(50_000 * 4 + 1)
  })

  it('counts a large request in the thread with the same result', async () => {
    const body = { messages: [{ role: 'user', content: 'Hello, world! '.repeat(1000) }] }
    const large = { raw: Buffer.from(JSON.stringify(body)), tokens: 0, textBytes: 14_000 }
    expect(await counter.prompt('gpt-4o', chat, {}, large)).toBe(await counter.prompt('gpt-4o', chat, body))
  })

  it('extrapolates from a sample above a million characters', async () => {
    const text = 'Hello, world! '.repeat(200_000)
    expect(Math.abs((await counter.text('gpt-4o', text)) / 800_001 - 1)).toBeLessThan(0.01)
    const texts = Array.from({ length: 4000 }, (_, index) => ({ role: 'user', content: text.slice(0, index) }))
    const exact = texts.reduce((sum, { content }) => sum + (content.length * 4) / 14, 0)
    const counted = await counter.prompt('gpt-4o', chat, { messages: texts })
    expect(Math.abs((counted - 4000 * 4) / exact - 1)).toBeLessThan(0.02)
  })

  it('estimates large texts while megabytes are waiting, and still counts small ones', async () => {
    const busy = openTokenCounter()
    opened.push(busy)
    const waiting = [1, 2, 3].map(() => busy.text('gpt-4o', 'ab '.repeat(1_500_000)))
    expect(await busy.text('gpt-4o', 'x'.repeat(80_000))).toBe(20_000)
    expect(await busy.text('gpt-4o', 'Hello, world!')).toBe(4)
    busy.hurry(0)
    expect(await Promise.all(waiting)).toHaveLength(3)
  })

  it('estimates what is not counted after hurry', async () => {
    const ending = openTokenCounter()
    opened.push(ending)
    const pending = ending.text('gpt-4o', 'random letters '.repeat(60_000))
    ending.hurry(0)
    expect(await pending).toBe(225_000)
  })

  it('counts a short text before an earlier long one', async () => {
    const order: string[] = []
    const long = counter.text('gpt-4o', 'Many different words. '.repeat(100_000)).then(() => order.push('long'))
    const short = counter.text('gpt-4o', 'short').then(() => order.push('short'))
    await Promise.all([long, short])
    expect(order).toEqual(['short', 'long'])
  })

  it('counts an empty prompt as 0', async () => {
    const empty = { module: '', read: () => [] }
    expect([await counter.text('gpt-4o', ''), await counter.prompt('gpt-4o', empty, {})]).toEqual([0, 0])
  })

  it.each([
    ['dies', 'parentPort.on("message", () => process.exit(1))'],
    ['throws', 'parentPort.on("message", () => { throw new Error("broken") })'],
    ['cannot even start', 'throw new Error("broken")'],
  ])('estimates when its thread %s, and starts a new thread for the next text', async (_, code) => {
    const source = `import { parentPort } from 'node:worker_threads'; ${code}`
    const broken = openTokenCounter({ script: new URL(`data:text/javascript,${encodeURIComponent(source)}`) })
    opened.push(broken)
    expect(await broken.text('gpt-4o', 'x'.repeat(4001))).toBe(1001)
    expect(await broken.text('gpt-4o', 'x'.repeat(8001))).toBe(2001)
  })

  it('estimates pending and later texts once it is closed', async () => {
    const closed = openTokenCounter()
    opened.push(closed)
    const pending = closed.text('gpt-4o', 'x'.repeat(4001))
    await closed.close()
    expect(await pending).toBe(1001)
    expect(await closed.text('gpt-4o', 'five!')).toBe(2)
  })
})

it.each([
  'gpt-4o-mini',
  'chatgpt-4o-latest',
  'o1',
  'o3-mini',
  'o4-mini',
  'gpt-4.1-nano',
  'gpt-4.5-preview',
  'gpt-5.1',
  'openai/gpt-4o',
  'ft:gpt-4o:me::1',
])('counts %s with o200k', (model) => expect(encodingOf(model)).toBe('o200k_base'))

it.each(['gpt-4', 'gpt-4-turbo', 'gpt-3.5-turbo', 'text-embedding-3-small', 'claude-3-opus', 'my-gpt-4o', 'proto1'])(
  'counts %s with cl100k',
  (model) => expect(encodingOf(model)).toBe('cl100k_base'),
)
