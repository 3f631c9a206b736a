import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '../../../lib/log.ts'
import { openBus } from '../../../lib/redis/bus.ts'
import { type CallerDirectoryParts, openCallerDirectory } from './directory.ts'
import type { TokenRecordRow } from './token-record.ts'

const row = (change: Partial<TokenRecordRow> = {}): TokenRecordRow => ({
  id: 1,
  user_id: 7,
  name: 'laptop',
  key_hash: 'hash of aaa',
  key_hint: 'aaa***aaa',
  status: 1,
  expired_time: -1,
  remain_quota: 100,
  unlimited_quota: 0,
  model_limits_enabled: 0,
  model_limits: '',
  allow_ips: '',
  group: '',
  username: 'alice',
  role: 1,
  user_status: 1,
  user_group: 'default',
  setting: '{"accept_unset_model_ratio_model":true}',
  ...change,
})

let stored: TokenRecordRow[]
let queries: string[]
let digests: number
let marks: number[]
let adopted: string[]
let time: number
let gate: Promise<void> | undefined

beforeEach(() => {
  stored = [row()]
  queries = []
  digests = 0
  marks = []
  adopted = []
  time = 1_000_000_000
  gate = undefined
})

const open = (more: Partial<CallerDirectoryParts> = {}) =>
  openCallerDirectory({
    rows: {
      byHash: async (hash) => {
        // Asked by the same query as the other.
        if (!hash.startsWith('sha256:')) queries.push(hash)
        const found = stored.find((entry) => entry.key_hash === hash)
        await gate
        return found
      },
      byId: async () => undefined,
      mostRecentlyUsed: async () => [],
      markSpent: async (id) => {
        marks.push(id)
        return false
      },
      adopt: async (id, key) => {
        adopted.push(`${id} ${key}`)
      },
    },
    digest: (key) => {
      digests += 1
      return `hash of ${key}`
    },
    bus: openBus({ nodeName: 'test', log: silentLog }),
    warn: (message, cause) => {
      throw new Error(message, { cause })
    },
    clock: () => time,
    ...more,
  })

describe('the caller directory', () => {
  it('reads a key once and answers at once afterwards', async () => {
    const directory = await open()
    const [first, second] = await Promise.all([directory.byKey('aaa'), directory.byKey('aaa')])
    expect(first).toBe(second)
    expect(directory.byKey('aaa')).toMatchObject({
      tokenId: 1,
      keyHint: 'aaa***aaa',
      user: { id: 7, username: 'alice', group: 'default', acceptsUnpricedModels: true },
    })
    expect(queries).toHaveLength(1)
    expect(digests).toBe(1)
  })

  it('knows the most recently used keys from the start', async () => {
    const rows = {
      byHash: async () => undefined,
      byId: async () => undefined,
      mostRecentlyUsed: async () => [row()],
      markSpent: async () => false,
      adopt: async () => {},
    }
    const directory = await open({ rows })
    expect(directory.byKey('aaa')).toMatchObject({ tokenId: 1 })
  })

  it('asks the database only once per while for a key that does not exist', async () => {
    const directory = await open()
    expect(await directory.byKey('guess')).toBeUndefined()
    expect(directory.byKey('guess')).toBeUndefined()
    expect(queries).toHaveLength(1)
    time += 61_000
    await directory.byKey('guess')
    expect(queries).toHaveLength(2)
  })

  it('finds a key at once that was made after it had been asked for', async () => {
    const directory = await open()
    expect(await directory.byKey('bbb')).toBeUndefined()
    stored.push(row({ id: 2, key_hash: 'hash of bbb' }))
    directory.changed({ token: 2 })
    expect(await directory.byKey('bbb')).toMatchObject({ tokenId: 2 })
  })

  it('finds a key that was imported by its hash, and stores it like every other at its first use', async () => {
    const sha256 = createHash('sha256').update('sk-rKz7l_vBU2IkvyG6o2CK4w').digest('hex')
    stored = [row({ key_hash: `sha256:${sha256}` })]
    const directory = await open()
    expect(await directory.byKey('rKz7l_vBU2IkvyG6o2CK4x')).toBeUndefined()
    expect(await directory.byKey('rKz7l_vBU2IkvyG6o2CK4w')).toMatchObject({ tokenId: 1 })
    expect(adopted).toEqual(['1 rKz7l_vBU2IkvyG6o2CK4w'])
    expect(directory.byKey('rKz7l_vBU2IkvyG6o2CK4w')).toMatchObject({ tokenId: 1 })
  })

  it('answers from memory only where no look-up is allowed', async () => {
    const directory = await open()
    expect(directory.byKey('aaa', false)).toBeUndefined()
    expect(queries).toHaveLength(0)
    await directory.byKey('aaa')
    expect(directory.byKey('aaa', false)).toMatchObject({ tokenId: 1 })
  })

  it('never asks for something that cannot be a key', async () => {
    const directory = await open()
    expect(directory.byKey("' or 1=1")).toBeUndefined()
    expect(directory.byKey('')).toBeUndefined()
    expect(queries).toHaveLength(0)
  })

  it.each([['token'], ['user']] as const)('sees a change of the %s with the next call', async (what) => {
    const directory = await open()
    await directory.byKey('aaa')
    stored = [row({ status: 2, user_status: 2 })]
    directory.changed(what === 'token' ? { token: 1 } : { user: 7 })
    expect(await directory.byKey('aaa')).toMatchObject({ status: 2, user: { status: 2 } })
  })

  it('keeps what a change does not concern', async () => {
    const directory = await open()
    await directory.byKey('aaa')
    directory.changed({ token: 2 })
    directory.changed({ user: 8 })
    expect(directory.byKey('aaa')).not.toBeInstanceOf(Promise)
  })

  it('does not keep what was read before a change', async () => {
    const directory = await open()
    let letThrough = (): void => {}
    gate = new Promise((resolve) => {
      letThrough = resolve
    })
    const stale = directory.byKey('aaa')
    stored = []
    directory.changed({ token: 1 })
    letThrough()
    await stale
    gate = undefined
    expect(await directory.byKey('aaa')).toBeUndefined()
  })

  it('forgets a deleted key when another node says so', async () => {
    const bus = openBus({ nodeName: 'test', log: silentLog })
    const directory = await open({ bus })
    await directory.byKey('aaa')
    stored = []
    bus.publish('callers', 'token:1')
    expect(await directory.byKey('aaa')).toBeUndefined()
  })

  it('repairs a missed message after a minute, answering at once meanwhile', async () => {
    const directory = await open()
    await directory.byKey('aaa')
    stored = []
    time += 61_000
    expect(directory.byKey('aaa')).toMatchObject({ tokenId: 1 })
    await new Promise(setImmediate)
    expect(await directory.byKey('aaa')).toBeUndefined()
  })

  it.each([
    ['expired', { expired_time: 999_999 }],
    ['exhausted', { remain_quota: 0 }],
  ])('has an %s token marked in the background, but not on every call', async (_, change) => {
    stored = [row(change)]
    const directory = await open()
    await directory.byKey('aaa')
    directory.byKey('aaa')
    directory.byKey('aaa')
    expect(marks).toEqual([1])
  })

  it('leaves unlimited tokens without quota alone', async () => {
    stored = [row({ remain_quota: -5, unlimited_quota: 1 })]
    const directory = await open()
    await directory.byKey('aaa')
    directory.byKey('aaa')
    expect(marks).toEqual([])
  })

  it('holds no more keys than it may', async () => {
    stored = ['a', 'b', 'c'].map((key, index) => row({ id: index + 1, key_hash: `hash of ${key}` }))
    const directory = await open({ capacity: 2 })
    for (const key of ['a', 'b', 'c']) await directory.byKey(key)
    expect(directory.byKey('c')).not.toBeInstanceOf(Promise)
    expect(directory.byKey('a')).toBeInstanceOf(Promise)
  })

  it('distinguishes no model limits from an empty list of models', async () => {
    stored = [row({ model_limits_enabled: 1, model_limits: '' })]
    const directory = await open()
    expect((await directory.byKey('aaa'))?.modelLimits).toEqual(new Set())
  })

  it('says when the owner is gone', async () => {
    stored = [row({ username: null })]
    const directory = await open()
    expect((await directory.byKey('aaa'))?.user).toBeUndefined()
  })
})
