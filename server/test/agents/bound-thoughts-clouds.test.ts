import { generateKeyPairSync } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { RelayChannel } from '../../src/relay/ports.ts'
import { channel, reopenGateway, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { anthropic, bodyOf, clients, keyOf, refusal, thoughtsIn } from '../support/gateway/thinking-turns.ts'
import { json, type Received } from '../support/gateway/upstream.ts'

useScene()

/** Claude's thoughts at Bedrock and Vertex AI go to the account of the cloud that made them, and no call fails for them. */

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const account = (name: string): string =>
  JSON.stringify({
    type: 'service_account',
    project_id: 'p1',
    private_key_id: 'k',
    client_email: `${name}@p1.iam.gserviceaccount.com`,
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    token_uri: `${upstream.url}/token`,
  })

/** Channel types, and what a key of an account is there. */
const hosts: Readonly<Record<string, readonly [type: number, key: (name: string) => string]>> = {
  Anthropic: [14, (name) => name],
  'Bedrock, signed': [33, (name) => `${name}|secret|us-east-1`],
  'Bedrock, API keys': [33, (name) => `${name}|us-east-1`],
  'Vertex AI': [41, account],
}

/** Tokens of accounts are named after them. */
const cloud = (call: Received): void => {
  if (call.path !== '/token') {
    anthropic(call)
    return
  }
  const assertion = new URLSearchParams(call.body.toString()).get('assertion') ?? ''
  const { iss } = JSON.parse(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString()) as { iss: string }
  json({ access_token: `ya29.${iss.split('@')[0]}`, expires_in: 3600 })(call)
}

const received = (): Received[] => upstream.received.filter(({ path }) => path !== '/token')
const counts = (): number[] => received().map((call) => thoughtsIn(call).length)
const bound = 'claude-sonnet-5-5'

const cells = Object.entries(hosts).flatMap(([host, [type, key]]) =>
  Object.entries(clients).map(([client, turn]) => ({ host, client, type, key, turn })),
)

describe.each(cells)('at $host, a client of $client', ({ type, key, turn }) => {
  const twoKeys = (): RelayChannel =>
    channel({
      type,
      keys: [key('a'), key('b')],
      ring: { rotation: 'round_robin', affinity: false, seeds: [1, 2], next: 0 },
    })
  const alone = (name: string, id: number): RelayChannel => channel({ type, id, keys: [key(name)] })

  beforeEach(() => {
    upstream.answer = cloud
  })

  it('stays with the one of two keys that made its thoughts', async () => {
    await reopenGateway({ random: () => 0.5 })
    useChannels(twoKeys())
    const used = new Set<string>()
    // Calls that begin anew take the keys in turn.
    for (const model of [bound, 'claude-haiku-5-5', bound]) {
      let next: unknown
      upstream.received.length = 0
      for (let round = 0; round < 3; round += 1) {
        const told = await turn(next, model)
        expect(told.status).toBe(200)
        next = told.next
      }
      const keys = new Set(received().map(keyOf))
      expect([keys.size, counts()]).toEqual([1, [0, 2, 4]])
      for (const name of keys) used.add(name)
    }
    expect([...used].toSorted()).toEqual(['a', 'b'])
  })

  it('goes on with another account without whole thoughts, where its own is gone', async () => {
    useChannels(twoKeys())
    const first = await turn(undefined, bound)
    const [made] = received().map(keyOf)
    const other = made === 'a' ? 'b' : 'a'
    useChannels(alone(other, 1))
    upstream.received.length = 0
    const second = await turn(first.next, bound)
    expect(second.status).toBe(200)
    expect((await turn(second.next, bound)).status).toBe(200)
    expect([received().map(keyOf), counts()]).toEqual([
      [other, other],
      [0, 2],
    ])
    for (const { messages } of received().map(bodyOf))
      for (const { content } of messages) expect(content).not.toHaveLength(0)
  })

  it('is asked once more without thoughts, where they are refused', async () => {
    useChannels(alone('a', 1))
    const { next } = await turn(undefined, bound)
    upstream.received.length = 0
    upstream.answer = (call) => (thoughtsIn(call).length > 0 ? json(refusal, 400)(call) : cloud(call))
    expect((await turn(next, bound)).status).toBe(200)
    expect(counts()).toEqual([2, 0])
  })
})
