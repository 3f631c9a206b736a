import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { linkedBuses } from '../../../test/support/lib/linked-buses.ts'
import { openSessionCounts } from '../../relay/sessions/session-counts.ts'
import { createLiveTokens } from './live-tokens.ts'

const secrets = {
  encrypt: (_: string, text: string) => Buffer.from(text).toString('base64url'),
  decrypt: (_: string, text: string) => Buffer.from(text, 'base64url').toString(),
}
const now = 1_000_000
const wanted = { uses: 2, expires: now + 9000, newSessionExpires: now + 5000, setup: undefined, locked: undefined }
const context = (token: string) => ({ query: `?access_token=${token}`, request: { headers: {} } as IncomingMessage })

it('counts the uses of a key at all nodes', () => {
  const waiting: (() => void)[] = []
  const nodes = linkedBuses(2).map((bus) =>
    createLiveTokens(secrets, openSessionCounts({ clock: () => now, bus, later: (work) => void waiting.push(work) })),
  )
  const token = nodes[0]?.make({ key: 'good', channel: undefined }, wanted) ?? ''
  for (const node of nodes) {
    node.usedIn(context(token))?.begin(now)
    for (const work of waiting.splice(0)) work()
  }
  for (const node of nodes) expect(() => node.usedIn(context(token))?.begin(now)).toThrow('expired')
})

it('ends when it says, for new sessions and for those that run', () => {
  const [tokens] = linkedBuses(1).map((bus) => createLiveTokens(secrets, openSessionCounts({ clock: () => now, bus })))
  const use = tokens?.usedIn(context(tokens.make({ key: 'good', channel: undefined }, wanted)))
  expect(() => use?.begin(now + 5001)).toThrow('expired')
  expect(() => use?.checkLife(now + 8999)).not.toThrow()
  expect(() => use?.checkLife(now + 9001)).toThrow('expired')
  expect(tokens?.usedIn(context('sk-good'))).toBeUndefined()
})
