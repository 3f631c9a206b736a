import { role } from '@tollgate/contract'
import { expect } from 'vitest'
import type { DatabaseAddress, Engine } from '../../src/db/database.ts'
import { withSession } from '../rights/calls.ts'
import { createPeople, type Person } from '../rights/people.ts'
import { type Answer, openRightsSite, type RightsSite } from '../rights/site.ts'
import { openProviderAccount } from '../support/direct/provider-account.ts'
import { redisHere, testRedis } from '../support/lib/redis.ts'

/** One node on SQLite, two on PostgreSQL: what they share beside Redis does not depend on the engine. */
export const servesOn = (engine: Engine): boolean => engine === 'sqlite' || (redisHere && engine === 'postgres')

/** Nodes that relay calls to a provider's account. */
export interface ServingNodes {
  readonly first: RightsSite
  /** The same where there is one. */
  readonly other: RightsSite
  /** Asks the console of the first node as root; fails where it refuses. */
  operate(method: string, path: string, body?: unknown): Promise<unknown>
  newKey(): Promise<Person>
  /** The answer to a call with nothing but texts in its body. */
  answered(at: RightsSite, caller: Person, headers?: Record<string, string>): Promise<Answer>
  close(): Promise<void>
}

export const openServingNodes = async (
  engine: Engine,
  place: () => Promise<DatabaseAddress>,
): Promise<ServingNodes> => {
  const account = await openProviderAccount()
  account.answer = { choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }] }
  const redis = engine === 'sqlite' ? undefined : await testRedis()
  await redis?.start()
  const shared = redis === undefined ? undefined : { SQL_DSN: (await place()).url, REDIS_CONN_STRING: redis.url }
  const first = await (shared === undefined ? openRightsSite() : openRightsSite({ ...shared, NODE_NAME: 'first' }))
  const other = shared === undefined ? first : await openRightsSite({ ...shared, NODE_NAME: 'other' })
  const people = createPeople(first)
  const root = await people.make(role.root)
  const operate: ServingNodes['operate'] = async (method, path, body) => {
    const { json, text } = await first.ask({ method, path, headers: withSession(root), body })
    expect(json.success, text).toBe(true)
    return json.data
  }
  const channel = { type: 1, name: 'all', key: 'sk-u', models: 'gpt-4.1', group: 'default', base_url: account.url }
  await first.ask({ method: 'POST', path: '/api/channel/', headers: withSession(root), body: channel })
  return {
    first,
    other,
    operate,
    async newKey() {
      const caller = await people.make(role.user)
      const tokens = first.database.query.updateTable('tokens').set({ unlimited_quota: 1 })
      await tokens.where('id', '=', caller.tokenId).execute()
      return caller
    },
    answered: (at, { apiKey }, headers = {}) =>
      at.ask({
        method: 'POST',
        path: '/v1/chat/completions',
        headers: { authorization: `Bearer sk-${apiKey}`, ...headers },
        body: { model: 'gpt-4.1', messages: [{ role: 'user', content: 'a secretword' }] },
      }),
    async close() {
      for (const node of new Set([first, other])) await node.close()
      await account.close()
      await redis?.stop()
    },
  }
}
