import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { role } from '@tollgate/contract'
import { parseObject } from '@tollgate/contract/json'
import { afterAll, describe, expect, it } from 'vitest'
import { withSession } from '../../test/rights/calls.ts'
import { codeOf, openNorthwind } from '../../test/rights/organisations/northwind.ts'

const { site, people, owner, at, ask, done, close } = await openNorthwind()
afterAll(close)

/** An upstream that answers nothing before it is told to. */
const openWaitingUpstream = async () => {
  const waiting: ServerResponse[] = []
  const server = createServer((_, response) => void waiting.push(response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const text = JSON.stringify({
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'gpt-4o-mini',
    choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    waiting: () => waiting.length,
    answer() {
      for (const response of waiting) response.setHeader('content-type', 'application/json').end(text)
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

describe('the money of a wallet', () => {
  it('stays while calls need it, and while what they cost is not booked', async () => {
    const upstream = await openWaitingUpstream()
    const root = await people.make(role.root)
    const slow = {
      type: 1,
      name: 'slow',
      key: 'sk-slow',
      models: 'gpt-4o-mini',
      group: 'default',
      base_url: upstream.url,
    }
    await site.ask({ method: 'POST', path: '/api/channel/', headers: withSession(root), body: slow })
    const key = { name: 'machine', unlimited_quota: true, project_id: at.project, member_id: 0 }
    const secret = String((await done(owner, 'POST', `${at.organisation}/keys`, key)).key)
    const balance = async () => (await done(owner, 'GET', `${at.organisation}`)).balance as unknown as number
    await done(owner, 'POST', `${at.organisation}/transfer`, {
      direction: 'in',
      amount: 400_000,
      transfer_id: 'pay-in-1',
    })
    const all = await balance()
    const transferOut = (amount: number, transfer_id: string) =>
      codeOf(ask(owner, 'POST', `${at.organisation}/transfer`, { direction: 'out', amount, transfer_id }))
    const callSlow = () =>
      site.ask({
        method: 'POST',
        path: '/v1/chat/completions',
        headers: { authorization: `Bearer sk-${secret}` },
        body: { model: 'gpt-4o-mini', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] },
      })
    const calls = Promise.all(Array.from({ length: 50 }, callSlow))
    await expect.poll(() => upstream.waiting()).toBe(50)
    expect(await transferOut(all, 'while-held')).toBe('balance_too_small')
    upstream.answer()
    expect((await calls).filter(({ status }) => status !== 200)).toEqual([])
    expect(await transferOut(all, 'while-charged')).toBe('balance_too_small')
    await expect.poll(balance).toBeLessThan(all)
    const left = await balance()
    expect(left).toBeGreaterThan(0)
    // Each receipt says what was held for its call, and for how long.
    const entries = site.database.query.selectFrom('ledger_entries').select('detail').where('reason', '=', 'charge')
    const receipts = (await entries.orderBy('id', 'desc').limit(50).execute()).map(({ detail }) => parseObject(detail))
    expect(receipts).toHaveLength(50)
    for (const { quota, held } of receipts) {
      expect(held).toEqual({ quota: expect.any(Number), at: expect.any(Number), ms: expect.any(Number) })
      const { quota: amount = 0, at = 0, ms = -1 } = held as Record<string, number>
      expect(amount).toBeGreaterThanOrEqual(Number(quota))
      expect(ms).toBeGreaterThanOrEqual(0)
      expect(at + ms).toBeLessThanOrEqual(Date.now())
    }
    await upstream.close()
  })
})
