import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { decimal } from '../../src/billing/decimal.ts'
import { createChannelPrices } from '../../src/billing/upstream/channel-prices.ts'
import { providerOf } from '../../src/providers/index.ts'
import type { RelayChannel } from '../../src/relay/ports.ts'
import { testList } from '../support/billing/list.ts'
import { openTestLive, said, turnEnd } from '../support/gateway/live.ts'
import { openSession, openTestRealtime, responseCreated, responseDone } from '../support/gateway/realtime.ts'
import {
  ask,
  channel,
  gateway,
  lastRecord,
  reopenGateway,
  until,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { usage } from '../support/gateway/sessions.ts'
import { json } from '../support/gateway/upstream.ts'

/** Costs that providers state for sessions, tasks and direct calls are the costs in the log. */

useScene()

const costs = () => createChannelPrices({ list: testList({ 'gpt-realtime': [5, 20] }), quotaPerUnit: 500_000 })

interface Cost {
  readonly quota: number
  readonly version?: string
  readonly stated?: { readonly by: string; readonly amount: string }
}

const costOf = (): Cost | undefined => (lastRecord()?.other.admin_info as { cost?: Cost } | undefined)?.cost

const typed = (type: number, changes: Partial<RelayChannel> = {}): RelayChannel => {
  const provider = providerOf(type)
  if (provider === undefined) throw new Error(`no type ${type}`)
  return channel({ type, provider, ...changes })
}

const session = async (events: readonly Record<string, unknown>[]): Promise<void> => {
  const realtime = await openTestRealtime()
  await reopenGateway({ costs: costs() })
  useChannels(channel({ baseUrl: realtime.url }))
  const client = await openSession(gateway.url)
  realtime.sessions[0]?.say(...events)
  for (const { type } of events) if (type === 'response.done') await client.next('response.done')
  client.socket.close(1000)
  await until(() => lastRecord() !== undefined)
  await realtime.close()
}

it('a session costs what its turns state, together', async () => {
  await session([
    ...[responseCreated('1'), responseDone({ ...usage, cost: 0.5, receipt: 'inner' }, '1')],
    {
      type: 'conversation.item.input_audio_transcription.completed',
      item_id: 'i',
      content_index: 0,
      transcript: 'hi',
      usage: { type: 'tokens', input_tokens: 14, output_tokens: 3, total_tokens: 17, cost: 0.001 },
    },
    ...[responseCreated('2'), responseDone({ ...usage, cost: 0.25 }, '2')],
  ])
  expect(costOf()).toMatchObject({ quota: 375_500, version: 'stated', stated: { by: 'cost', amount: '0.751' } })
  expect(lastRecord()?.receipt?.provisional).toBeUndefined()
})

it('a session of which one turn states nothing costs what is computed', async () => {
  await session([
    ...[responseCreated('1'), responseDone({ ...usage, cost: 0.5 }, '1')],
    ...[responseCreated('2'), responseDone(usage, '2')],
  ])
  // 400 tokens in at 5 dollars a million and 200 out at 20: 0.006 dollars.
  expect(costOf()).toMatchObject({ quota: 3000 })
  expect(costOf()?.stated).toBeUndefined()
})

it('a session of Gemini Live costs what its turns state', async () => {
  const live = await openTestLive()
  await reopenGateway({ costs: costs() })
  useChannels(typed(24, { baseUrl: live.url, keys: ['upstream-key'] }))
  const path = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent?key=sk-good'
  const socket = new WebSocket(gateway.url.replace('http', 'ws') + path)
  let messages = 0
  socket.on('message', () => {
    messages += 1
  })
  socket.on('open', () => socket.send(JSON.stringify({ setup: { model: 'models/gpt-realtime' } })))
  await until(() => messages === 1)
  const end = { ...turnEnd, usageMetadata: { ...(turnEnd.usageMetadata as object), cost: 0.1 } }
  live.sessions[0]?.say(said(Buffer.alloc(480)), end, said(Buffer.alloc(480)), end)
  await until(() => messages === 5)
  socket.close(1000)
  await until(() => lastRecord() !== undefined)
  expect(costOf()).toMatchObject({ quota: 100_000, stated: { by: 'cost', amount: '0.2' } })
  await live.close()
})

it('a task costs what the head of its submission states', async () => {
  await reopenGateway({ costs: costs() })
  useChannels(channel({ type: 2 }))
  const taken = { code: 1, description: '提交成功', result: '1', properties: {} }
  upstream.answer = json(taken, 200, { 'x-tollgate-cost': '0.05' })
  await (await ask(JSON.stringify({ prompt: 'x' }), '/mj/submit/imagine')).text()
  expect(costOf()).toMatchObject({ quota: 25_000, stated: { by: 'x-tollgate-cost', amount: '0.05' } })
})

const passthrough = {
  groups: new Set(['default']),
  keys: new Set<number>(),
  paths: [],
  shared: true,
  price: decimal('0.01'),
}

it.each([
  [
    'DeepInfra in the metadata of its answers',
    channel,
    { results: [], request_id: 'R', inference_status: { cost: 0.0046, runtime_ms: 2126 } },
    {},
    { quota: 2300, stated: { by: 'inference_status.cost', amount: '0.0046' } },
  ],
  [
    'xAI in ticks',
    (more: Partial<RelayChannel>) => typed(48, more),
    { data: [], usage: { cost_in_usd_ticks: 200_000_000 } },
    {},
    { quota: 10_000, stated: { by: 'cost_in_usd_ticks', amount: '0.02' } },
  ],
  [
    'Comfy Router in a header',
    channel,
    { images: [] },
    { 'x-litellm-response-cost': '0.000415' },
    { quota: 208, stated: { by: 'x-litellm-response-cost', amount: '0.000415' } },
  ],
] as const)('a direct call costs what is stated by %s', async (_, of, answer, headers, cost) => {
  await reopenGateway({ costs: costs() })
  useChannels(of({ id: 7, baseUrl: upstream.url, passthrough }))
  upstream.answer = json(answer, 200, headers)
  const body = { input: 'x', model: 'm' }
  expect((await ask(JSON.stringify(body), '/p/7/v1/inference/some')).status).toBe(200)
  expect(costOf()).toMatchObject(cost)
  // The user pays the operator's price.
  expect(lastRecord()?.quota).toBe(5000)
})

it('what is read again costs nothing again', async () => {
  await reopenGateway({ costs: costs() })
  useChannels(typed(48, { id: 7, baseUrl: upstream.url, passthrough }))
  upstream.answer = json({ status: 'done', usage: { cost_in_usd_ticks: 200_000_000 } })
  const headers = { authorization: 'Bearer sk-good' }
  expect((await fetch(`${gateway.url}/p/7/v1/videos/1`, { headers })).status).toBe(200)
  expect(costOf()).toBeUndefined()
})
