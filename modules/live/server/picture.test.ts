import type { AttentionReason } from '@tollgate/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { silentLog } from '#server/lib/log.ts'
import { openBus } from '#server/lib/redis/bus.ts'
import type { RelayChannel } from '#server/relay/ports.ts'
import { openWatchedNode, watchedRecord } from '#server-test/support/telemetry/watched-node.ts'
import { livePictureOf } from './picture.ts'

const ends: (() => void)[] = []
afterAll(() => {
  for (const end of ends) end()
})

const channel = { id: 7, name: 'Berlin' } as RelayChannel

const openAlone = () => {
  const opened = openWatchedNode(openBus({ nodeName: 'a', log: silentLog }), 'a', true)
  ends.push(opened.close)
  return opened
}

const watched = { id: 7, name: 'Berlin', enabled: true, autoDisabled: false, avoidedModels: [] }

describe('the picture of the present', () => {
  it('counts calls, failures, spend and times to the first token', async () => {
    const { node, nodes } = openAlone()
    for (let call = 0; call < 9; call += 1) node.listener.callRecorded(watchedRecord())
    node.listener.callRecorded(watchedRecord({ kind: 'error', quota: 0, other: { status: 503, error_code: 'busy' } }))
    const {
      now,
      minutes,
      errors,
      nodes: shown,
    } = livePictureOf(await nodes.reports(), { channels: [watched], needs: new Map() }, Date.now(), 'en')
    expect(now).toMatchObject({ calls: 10, failed: 1, quota: 900, calls_per_second: 1, running: 3 })
    // Times are counted in classes a quarter wide.
    expect(now.first_p50_ms).toBeGreaterThan(400)
    expect(now.first_p50_ms).toBeLessThan(625)
    expect(minutes).toHaveLength(60)
    expect(minutes.reduce((sum, { calls }) => sum + calls, 0)).toBe(10)
    expect(errors).toMatchObject([{ status: 503, code: 'busy', model: 'gpt-4o', channel_name: 'Berlin' }])
    expect(shown).toMatchObject([{ name: 'a', state: 'ready', running: 3, holds: 2, held_quota: 50, database_ms: 1.5 }])
  })

  it('names the channels that need attention, the worst first, with their last failure', async () => {
    const { node, nodes } = openAlone()
    const failure = { status: 429, type: '', code: '', message: 'too many requests', cause: '' }
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const failed = attempt % 4 === 0 ? failure : undefined
      node.listener.attemptEnded({ channel, failure: failed, model: 'gpt-4o', tookMs: 10, firstContentMs: 200 })
    }
    const channels = [
      watched,
      { ...watched, id: 8, name: 'Oslo', avoidedModels: ['o3'] },
      { ...watched, id: 9, name: 'Rome', enabled: false, autoDisabled: true },
      { ...watched, id: 10, name: 'Wien', enabled: false },
    ]
    const needs = new Map<number, AttentionReason[]>([
      [7, ['failing', 'unpriced']],
      [8, ['cooling']],
      [9, ['disabled']],
    ])
    const picture = livePictureOf(await nodes.reports(), { channels, needs }, Date.now(), 'en')
    const { in_trouble: troubled, needing_attention: count, all } = picture.channels
    expect({ all, count }).toEqual({ all: 4, count: 3 })
    expect(troubled.map(({ name, reasons }) => [name, reasons])).toEqual([
      ['Rome', ['disabled']],
      ['Berlin', ['failing', 'unpriced']],
      ['Oslo', ['cooling']],
    ])
    expect(troubled[1]).toMatchObject({
      attempts: 20,
      failed: 5,
      status: 429,
      reason: 'too many requests',
      first_ms: 200,
    })
  })
})
