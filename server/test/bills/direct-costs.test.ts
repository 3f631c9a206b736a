import { afterAll, beforeAll, expect, it } from 'vitest'
import { decimal } from '../../src/billing/decimal.ts'
import { describeWithDatabase } from '../support/db/databases.ts'
import { type LedgerGateway, openLedgerGateway } from '../support/gateway/ledger-listener.ts'
import { completion, json } from '../support/gateway/upstream.ts'
import { testChannel } from '../support/relay/ports.ts'

/** Direct calls say what they cost where their client asks: in their head, and their usage where they have one. */

const asking = { 'x-tollgate-include-cost': 'true' }

describeWithDatabase('the cost of a direct call', (open) => {
  let site: LedgerGateway
  beforeAll(async () => {
    site = await openLedgerGateway(await open(), { balance: 10_000_000 })
    const passthrough = {
      groups: new Set(['default']),
      keys: new Set<number>(),
      paths: [],
      shared: true,
      price: decimal('0.0123'),
    }
    const channel = testChannel({ id: 7, baseUrl: site.upstream.url, passthrough })
    site.gateway.parts.channels.list.splice(0, Number.POSITIVE_INFINITY, channel)
  })
  afterAll(() => site.close())

  const moved = async (call: () => Promise<Response>) => {
    const before = await site.balances()
    const response = await call()
    const text = await response.text()
    return { response, text, units: before.user - (await site.balances()).user }
  }

  it('with a price per call is in its head, and its bytes stay', async () => {
    const answer = { results: [1, 2], usage: { cost: 7 } }
    site.upstream.answer = json(answer)
    const { response, text, units } = await moved(() => site.post('/p/7/v1/ocr', { pages: 2 }, asking))
    expect(units).toBe(6150)
    expect(response.headers.get('x-tollgate-cost')).toBe('0.0123')
    expect(JSON.parse(text)).toEqual(answer)
    const id = response.headers.get('x-tollgate-receipt') ?? ''
    const headers = { authorization: 'Bearer sk-good' }
    const receipt = await (await fetch(`${site.gateway.url}/v1/receipts/${id}`, { headers })).json()
    expect(receipt).toMatchObject({ receipt: { id, cost: '0.0123', units: 6150, path: '/p/7/v1/ocr' } })
  })

  it('is in the head of bytes that are passed as they come', async () => {
    site.upstream.answer = ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'x-tollgate-cost': '9' })
      response.write('some ')
      response.end('bytes')
    }
    const { response, text, units } = await moved(() => site.post('/p/7/v1/sounds', { text: 'x' }, asking))
    expect([text, units, response.headers.get('x-tollgate-cost')]).toEqual(['some bytes', 6150, '0.0123'])
  })

  it('is 0 for what is read, and nothing for what fails', async () => {
    site.upstream.answer = json({ data: [] })
    const headers = { authorization: 'Bearer sk-good', ...asking }
    const read = await moved(() => fetch(`${site.gateway.url}/p/7/v1/jobs`, { headers }))
    expect([read.units, read.response.headers.get('x-tollgate-cost')]).toEqual([0, '0'])
    site.upstream.answer = json({ error: { message: 'no' } }, 400)
    const failed = await moved(() => site.post('/p/7/v1/ocr', {}, asking))
    expect([failed.units, failed.response.headers.get('x-tollgate-cost')]).toEqual([0, null])
  })

  it('that is billed by usage is in its usage and its head', async () => {
    site.upstream.answer = json(completion('hello'))
    const body = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }
    const { response, text, units } = await moved(() => site.post('/p/7/v1/chat/completions', body, asking))
    const { usage } = JSON.parse(text)
    expect(Math.round(usage.cost * 500_000)).toBe(units)
    expect(response.headers.get('x-tollgate-cost')).toBe(String(usage.cost))
  })

  it('is left out where nobody asks', async () => {
    site.upstream.answer = json({ results: [] })
    const { response } = await moved(() => site.post('/p/7/v1/ocr', {}))
    expect(response.headers.get('x-tollgate-cost')).toBeNull()
  })
})
