import { expect, it } from 'vitest'
import { openTestChannels, testCaller, testChannel, testMadeObjects } from '../../../test/support/relay/ports.ts'
import type { RelayCall } from '../call.ts'
import { createFileFence } from './file-fence.ts'

const call = (body: Readonly<Record<string, unknown>>): RelayCall => ({
  id: 'request',
  startedAt: 0,
  ip: '',
  path: '/v1/chat/completions',
  query: '',
  caller: testCaller,
  model: 'gpt-4o',
  stream: false,
  endpoint: 'conversation',
  dialect: undefined,
  raw: Buffer.from(JSON.stringify(body)),
  body,
  accept: undefined,
  passed: {},
  withModel: (same) => same,
})

const madeObjects = testMadeObjects()
const fence = createFileFence({
  madeObjects,
  storedResponses: { keyHashOf: (key) => key },
  channels: openTestChannels(testChannel()),
})

it('calls that name nothing are not touched, and nothing is looked up for them', () => {
  const plain = call({ messages: [{ role: 'user', content: 'what is a file_id?' }] })
  expect(fence.bound(plain)).toBe(plain)
  const { maker, place } = {
    maker: { userId: 1, tokenId: 0, projectId: 0, memberId: 0 },
    place: { channelId: 1, key: 'k' },
  }
  madeObjects.note([{ kind: 'files', id: 'file-1' }], maker, place)
  expect(fence.bound(plain)).toBe(plain)
})

it('a call that names what nobody has made goes on with no other model, whose channels may be called directly', async () => {
  const named = await fence.bound(call({ messages: [{ content: [{ type: 'file', file: { file_id: 'file-2' } }] }] }))
  expect([named.withModel, named.place]).toEqual([undefined, undefined])
})
