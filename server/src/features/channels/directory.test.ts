import { beforeEach, describe, expect, it } from 'vitest'
import { relayRow } from '../../../test/support/features/channels.ts'
import { silentLog } from '../../lib/log.ts'
import { openBus } from '../../lib/redis/bus.ts'
import { providerOf } from '../../providers/index.ts'
import type { RelayChannel, UpstreamFailure } from '../../relay/ports.ts'
import { type ChannelDirectory, type ChannelDirectoryParts, openChannelDirectory } from './directory.ts'
import type { RelayColumns } from './relay-channel.ts'

let rows: RelayColumns[]
let written: number[]
let writtenKeys: string[]
let notices: string[]
let decrypted: number
let warnings: string[]
let databaseDown: boolean
let beforeAnswer: (() => void) | undefined

beforeEach(() => {
  rows = [relayRow(), relayRow({ id: 2, name: 'second', key_cipher: 'sk-two' })]
  written = []
  writtenKeys = []
  notices = []
  decrypted = 0
  warnings = []
  databaseDown = false
  beforeAnswer = undefined
})

const open = (more: Partial<ChannelDirectoryParts> = {}): Promise<ChannelDirectory> =>
  openChannelDirectory({
    rows: {
      relayRows: async (ids) => {
        const answer = rows.filter(({ id }) => ids === undefined || ids.includes(id))
        beforeAnswer?.()
        return answer
      },
      disable: async ({ id }) => {
        if (databaseDown) throw new Error('down')
        const row = rows.find((entry) => entry.id === id)
        if (row?.status !== 1) return false
        written.push(id)
        rows = rows.map((entry) => (entry.id === id ? { ...entry, status: 3 } : entry))
        return true
      },
      disableKey: async ({ channelId, keyHash }) => {
        if (databaseDown) throw new Error('down')
        rows = rows.map((entry) =>
          entry.id === channelId ? { ...entry, off_keys: [...entry.off_keys, keyHash].sort() } : entry,
        )
        writtenKeys.push(keyHash)
        return true
      },
    },
    provider: providerOf,
    digest: (key) => key,
    onKeyDisabled: (channel, key, { text }) => notices.push(`${channel.name} ${key}: ${text}`),
    decrypt: (cipher) => {
      decrypted += 1
      if (cipher === 'broken') throw new Error('wrong key')
      return cipher
    },
    autoDisable: () => ({ enabled: true, keywords: ['credit balance'] }),
    bus: openBus({ nodeName: 'test', log: silentLog }),
    onDisabled: (channel, { text }) => notices.push(`${channel.name}: ${text}`),
    warn: (message) => warnings.push(message),
    clock: () => 1_700_000_000_000,
    ...more,
  })

const refused = (change: Partial<UpstreamFailure> = {}): UpstreamFailure => ({
  status: 401,
  type: 'upstream_error',
  code: '',
  message: 'Incorrect API key provided',
  cause: '',
  ...change,
})

const candidates = (directory: ChannelDirectory): number[] =>
  directory
    .snapshot()
    .serving('default', 'gpt-4o')
    .map(({ id }) => id)

const channelOf = (directory: ChannelDirectory, id: number): RelayChannel => {
  const channel = directory.snapshot().byId(id)
  if (!channel) throw new Error(`no channel ${id}`)
  return channel
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('the channel directory', () => {
  it('takes a channel out at once when its credentials are gone, and says so once', async () => {
    const directory = await open()
    const channel = channelOf(directory, 1)
    directory.report(channel, refused())
    expect(candidates(directory)).toEqual([2])
    directory.report(channel, refused())
    await settled()
    expect(written).toEqual([1])
    expect(notices).toEqual(['first: Incorrect API key provided'])
    expect(channelOf(directory, 1).enabled).toBe(false)
  })

  it.each([
    ['it answered', undefined, {}],
    ['the failure means nothing for the key', refused({ status: 500, message: 'overloaded' }), {}],
    ['the operator switched the rule off', refused(), { autoDisable: () => ({ enabled: false, keywords: [] }) }],
  ])('keeps a channel when %s', async (_, failure, more) => {
    const directory = await open(more)
    directory.report(channelOf(directory, 1), failure)
    expect(candidates(directory)).toEqual([1, 2])
  })

  it('keeps a channel that may not be disabled automatically', async () => {
    rows = [relayRow({ auto_ban: 0 })]
    const directory = await open()
    directory.report(channelOf(directory, 1), refused())
    expect(candidates(directory)).toEqual([1])
  })

  it('ignores the late failure of a key that was replaced', async () => {
    const directory = await open()
    const old = channelOf(directory, 1)
    rows = rows.map((row) => (row.id === 1 ? { ...row, key_cipher: 'sk-new' } : row))
    await directory.changed([1])
    directory.report(old, refused())
    expect(candidates(directory)).toEqual([1, 2])
  })

  it('keeps a channel out while a read from before the failure comes in', async () => {
    const directory = await open()
    beforeAnswer = () => directory.report(channelOf(directory, 1), refused())
    await directory.refresh()
    expect(candidates(directory)).toEqual([2])
    beforeAnswer = undefined
    await settled()
    await directory.refresh()
    expect(candidates(directory)).toEqual([2])
  })

  it('keeps a channel out while the database is down, and writes it down later', async () => {
    const directory = await open()
    databaseDown = true
    directory.report(channelOf(directory, 1), refused())
    await settled()
    expect(warnings).toHaveLength(1)
    expect(candidates(directory)).toEqual([2])
    databaseDown = false
    await directory.refresh()
    expect(written).toEqual([1])
    expect(candidates(directory)).toEqual([2])
  })

  it('routes again to a channel that was enabled again', async () => {
    const directory = await open()
    directory.report(channelOf(directory, 1), refused())
    await settled()
    rows = rows.map((row) => ({ ...row, status: 1 }))
    await directory.changed([1])
    expect(candidates(directory)).toContain(1)
  })

  it('decrypts only the keys of channels that changed', async () => {
    const directory = await open()
    rows = rows.map((row) => (row.id === 2 ? { ...row, priority: 5 } : row))
    await directory.refresh()
    expect(decrypted).toBe(3)
    const before = directory.snapshot()
    await directory.refresh()
    expect(directory.snapshot()).toBe(before)
  })

  it('drops deleted channels', async () => {
    const directory = await open()
    rows = []
    await directory.changed([1])
    expect(candidates(directory)).toEqual([2])
    await directory.refresh()
    expect(directory.count()).toBe(0)
  })

  it('works without the channels whose key cannot be read or whose type cannot relay', async () => {
    rows = [...rows, relayRow({ id: 3, key_cipher: 'broken' }), relayRow({ id: 4, type: 21 })]
    const directory = await open()
    expect(candidates(directory)).toEqual([1, 2])
    expect(warnings).toEqual(['channel_key_unreadable'])
  })

  it('reads again what another node changed', async () => {
    const listeners: ((notice: { kind: 'message'; message: string; own: boolean }) => void)[] = []
    const directory = await open({
      bus: {
        publish: () => {},
        subscribe: (_, listener) => {
          listeners.push(listener)
          return () => {}
        },
      },
    })
    rows = rows.map((row) => ({ ...row, models: 'gpt-5' }))
    for (const listen of listeners) listen({ kind: 'message', message: '1,2', own: false })
    await settled()
    expect(directory.snapshot().modelsOf('default')).toEqual(['gpt-5'])
  })
})
