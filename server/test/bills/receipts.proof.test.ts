import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { receiptJudge, receiptScript } from '../support/answer-costs/receipt-script.ts'
import { describeEachEngine, describeWithDatabase } from '../support/db/databases.ts'
import { type LedgerGateway, openLedgerGateway } from '../support/gateway/ledger-listener.ts'
import { testToken } from '../support/gateway/listener.ts'
import { chunk, completion, done, json, stream, usageChunk } from '../support/gateway/upstream.ts'
import { testChannel } from '../support/relay/ports.ts'

const run = promisify(execFile)
const hi = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }
const asking = { 'x-tollgate-include-cost': 'true' }

let folder = ''
let script = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'receipts-'))
  script = join(folder, 'check.mjs')
  await writeFile(script, await receiptScript())
})
afterAll(() => rm(folder, { recursive: true }))

/** Output of the documentation's script about a receipt; rejects if the script finds it invalid. */
const check = async (document: string | Buffer, site: string): Promise<string> => {
  const file = join(folder, 'receipt.json')
  await writeFile(file, document)
  return (await run(process.execPath, [script, file, site])).stdout
}

const receiptOf = async ({ gateway }: LedgerGateway, id: string, key = 'sk-good') => {
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${gateway.url}/v1/receipts/${id}`, { headers })
  return { status: response.status, text: await response.text() }
}

describeEachEngine('the receipt of a call', (open) => {
  let site: LedgerGateway
  beforeAll(async () => {
    site = await openLedgerGateway(await open(), { balance: 10_000_000 })
  })
  afterAll(() => site.close())

  it('can be fetched at once, says what the ledger booked, and is checked by the script of the documentation', async () => {
    const before = await site.balances()
    const response = await site.post('/v1/chat/completions', hi, asking)
    const id = response.headers.get('x-tollgate-receipt') ?? ''
    const { usage } = (await response.json()) as { usage: { cost: number; receipt: string } }
    expect(usage.receipt).toBe(id)
    const { status, text } = await receiptOf(site, id)
    expect(status).toBe(200)
    const { receipt } = JSON.parse(text)
    const units = before.user - (await site.balances()).user
    expect(units).toBeGreaterThan(0)
    expect(receipt).toMatchObject({ id, model: 'gpt-4o', path: '/v1/chat/completions', units, currency: 'USD' })
    expect([receipt.cost, Number(receipt.cost)]).toEqual([response.headers.get('x-tollgate-cost'), usage.cost])
    expect(receipt.items).toMatchObject([
      { item: 'input', quantity: 10 },
      { item: 'output', quantity: 5 },
    ])
    expect(await check(text, site.gateway.url)).toBe(`${id}: gpt-4o, ${receipt.cost} USD\n`)
    expect(text).not.toContain('hello')
  })

  it('is for the key that made the call alone, and for calls that asked', async () => {
    const asked = await site.post('/v1/chat/completions', hi, asking)
    const id = asked.headers.get('x-tollgate-receipt') ?? ''
    const other = site.gateway.tokens.get('good') ?? testToken
    site.gateway.tokens.set('other', { ...other, tokenId: other.tokenId + 1000 })
    expect((await receiptOf(site, id)).status).toBe(200)
    expect((await receiptOf(site, id, 'sk-other')).status).toBe(404)
    expect((await receiptOf(site, id, 'sk-unknown')).status).toBe(401)
    const plain = await site.post('/v1/chat/completions', hi)
    await site.balances()
    expect((await receiptOf(site, plain.headers.get('x-oneapi-request-id') ?? '')).status).toBe(404)
  })

  it('stays good when the site has a new key, which signs the next one', async () => {
    const asked = await site.post('/v1/chat/completions', hi, asking)
    const id = asked.headers.get('x-tollgate-receipt') ?? ''
    const { text: before } = await receiptOf(site, id)
    const key = await site.receiptKeys.renew()
    const { text: after } = await receiptOf(site, id)
    expect(JSON.parse(after).receipt.key).toBe(key)
    expect(JSON.parse(before).receipt.key).not.toBe(key)
    expect(await check(before, site.gateway.url)).toContain(id)
    expect(await check(after, site.gateway.url)).toContain(id)
  })
})

describeWithDatabase('a changed receipt', (open) => {
  it('fails its check, whichever byte is another', async () => {
    const site = await openLedgerGateway(await open(), { balance: 10_000_000 })
    const asked = await site.post('/v1/chat/completions', hi, asking)
    const { text } = await receiptOf(site, asked.headers.get('x-tollgate-receipt') ?? '')
    const { keys } = (await (await fetch(`${site.gateway.url}/.well-known/tollgate-receipts.json`)).json()) as {
      keys: object[]
    }
    await site.close()
    const module = join(folder, 'script.mjs')
    await writeFile(module, await receiptJudge())
    const all = `import { judge as judged } from ${JSON.stringify(module)}
const known = ${JSON.stringify(keys)}
const whole = Buffer.from(${JSON.stringify(text)})
const judge = (given) => judged(given, known)
judge(whole)
let good = 0
for (let at = 0; at < whole.length; at += 1)
  for (const change of [1, 32, 128]) {
    const given = Buffer.from(whole)
    given[at] ^= change
    try { judge(given); good += 1 } catch {}
  }
for (const given of [Buffer.from(whole + '\\n'), Buffer.from(' ' + whole)]) try { judge(given); good += 1 } catch {}
console.log(good)`
    const judge = join(folder, 'judge.mjs')
    await writeFile(judge, all)
    expect((await run(process.execPath, [judge])).stdout).toBe('0\n')
  })
})

const text = 'hi'
const contents = { contents: [{ role: 'user', parts: [{ text }] }] }
const gemini = '/v1beta/models/gemini-2.5-flash'
/** Path and body of a call, and the type of a channel that speaks its dialect. */
const chained = [
  ['/v1/chat/completions', hi, 1],
  ['/v1/chat/completions', { ...hi, stream: true }, 1],
  ['/v1/messages', { ...hi, max_tokens: 50 }, 14],
  ['/v1/messages', { ...hi, max_tokens: 50, stream: true }, 14],
  ['/v1/responses', { model: 'gpt-4o', input: text }, 1],
  ['/v1/responses', { model: 'gpt-4o', input: text, stream: true }, 1],
  [`${gemini}:generateContent`, contents, 24],
  [`${gemini}:streamGenerateContent?alt=sse`, contents, 24],
  ['/v1/embeddings', { model: 'e', input: text }, 1],
] as const

describeWithDatabase('a chain of two gateways', (open) => {
  let inner: LedgerGateway
  let outer: LedgerGateway
  beforeAll(async () => {
    inner = await openLedgerGateway(await open(), { balance: 10_000_000 })
    outer = await openLedgerGateway(await open(), { balance: 10_000_000 })
    const key = inner.gateway.tokens.get('good') ?? testToken
    inner.gateway.tokens.set('good', { ...key, includeCost: true })
  })
  afterAll(async () => {
    await outer.close()
    await inner.close()
  })

  it.each(chained)(
    'says the outer cost alone, and the outer log names the inner receipt: %s %j',
    async (path, body, type) => {
      const isStream = 'stream' in body || path.includes('streamGenerate')
      const vectors = { data: [{ index: 0, embedding: [0.5] }], usage: { prompt_tokens: 10, total_tokens: 10 } }
      inner.upstream.answer = isStream
        ? stream(chunk('a'), usageChunk(10, 5), done)
        : json(path.includes('embed') ? vectors : completion('hello'))
      // The inner gateway's own providers all speak chat completions; Responses are translated there, too.
      const innerChannel = testChannel({
        id: 0,
        type: path.includes('responses') ? 43 : 1,
        baseUrl: inner.upstream.url,
      })
      inner.gateway.parts.channels.list.splice(0, Number.POSITIVE_INFINITY, innerChannel)
      const channel = testChannel({ id: 0, type, baseUrl: inner.gateway.url, keys: ['sk-good'] })
      outer.gateway.parts.channels.list.splice(0, Number.POSITIVE_INFINITY, channel)
      const before = await outer.balances()
      const response = await outer.post(path, body, asking)
      const answer = await response.text()
      expect(response.status).toBe(200)
      const log = (await outer.logs()).at(-1)
      const { admin_info: info, receipt } = log ?? {}
      const [attempt] = (info as { attempts: { receipt: string }[] }).attempts
      const innerReceipt = attempt?.receipt ?? ''
      const own = response.headers.get('x-tollgate-receipt') ?? ''
      // The customer of each gateway checks its receipt with the script, at its own site.
      const [innerText, outerText] = [(await receiptOf(inner, innerReceipt)).text, (await receiptOf(outer, own)).text]
      expect(await check(innerText, inner.gateway.url)).toMatch(new RegExp(`^${innerReceipt}: `))
      expect(await check(outerText, outer.gateway.url)).toMatch(new RegExp(`^${own}: `))
      expect(own).not.toBe(innerReceipt)
      expect([...answer.matchAll(/"receipt":"([^"]*)"/g)].map(([, id]) => id)).toEqual([own])
      const costs = [...answer.matchAll(/"cost":([\d.]+)/g)].map(([, cost]) => Math.round(Number(cost) * 500_000))
      expect(costs).toEqual([before.user - (await outer.balances()).user])
      // The inner gateway's statement is no figure that a table lacks.
      expect(receipt).toBeDefined()
      expect((receipt as { provisional?: unknown }).provisional).toBeUndefined()
    },
  )

  it('signs with keys of its own: the receipt of one site is not good at the other, nor with one byte changed', async () => {
    const asked = await outer.post('/v1/chat/completions', hi, asking)
    const { text: document } = await receiptOf(outer, asked.headers.get('x-tollgate-receipt') ?? '')
    await check(document, outer.gateway.url)
    await expect(check(document, inner.gateway.url)).rejects.toThrow()
    const changed = Buffer.from(document)
    const at = document.indexOf('"units":') + '"units":'.length
    changed[at] = (changed[at] ?? 0) ^ 1
    await expect(check(changed, outer.gateway.url)).rejects.toThrow()
  })
})

describe('the script of the documentation', () => {
  it('has at most twenty lines of code and needs no packages', async () => {
    const lines = (await readFile(script, 'utf8')).split('\n').filter((line) => line.trim() !== '')
    expect(lines.length).toBeLessThanOrEqual(20)
    for (const line of lines.filter((each) => each.startsWith('import '))) expect(line).toContain("from 'node:")
  })
})
