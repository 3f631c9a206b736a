import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { redisHere, type TestRedis, testRedis } from '../../../test/support/lib/redis.ts'
import { silentLog } from '../log.ts'
import { type Bus, openBus } from './bus.ts'
import type { BusNotice } from './local-bus.ts'

const recordNotices = (bus: Bus, topic: string): BusNotice[] => {
  const notices: BusNotice[] = []
  bus.subscribe(topic, (notice) => notices.push(notice))
  return notices
}

describe('a bus within one process', () => {
  it('calls the listeners of a topic before publish returns, and no others', () => {
    const bus = openBus({ nodeName: 'one', log: silentLog })
    const options = recordNotices(bus, 'options')
    const channels = recordNotices(bus, 'channels')
    bus.publish('options', 'Notice')
    expect(options).toEqual([{ kind: 'message', message: 'Notice', own: true }])
    expect(channels).toEqual([])
  })

  it('does not call a listener that has unsubscribed', () => {
    const bus = openBus({ nodeName: 'one', log: silentLog })
    const listener = vi.fn()
    bus.subscribe('options', listener)()
    bus.publish('options')
    expect(listener).not.toHaveBeenCalled()
  })

  it('logs a listener that throws and calls the others', () => {
    const log = { ...silentLog, error: vi.fn() }
    const bus = openBus({ nodeName: 'one', log })
    bus.subscribe('options', () => {
      throw new Error('broken listener')
    })
    const notices = recordNotices(bus, 'options')
    bus.publish('options')
    expect(notices).toHaveLength(1)
    expect(log.error).toHaveBeenCalledOnce()
  })
})

describe.skipIf(!redisHere)('a bus among nodes (skipped where redis-server is not installed)', () => {
  let redis: TestRedis
  const opened: Bus[] = []
  const open = async (nodeName: string): Promise<Bus> => {
    const bus = openBus({ redis: redis.url, nodeName, log: silentLog })
    opened.push(bus)
    await bus.ready()
    return bus
  }

  beforeAll(async () => {
    redis = await testRedis()
    await redis.start()
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((bus) => bus.close()))
  })
  afterAll(async () => redis.stop())

  it('calls listeners of each node once, also when both nodes have the same name', async () => {
    const [one, two] = [await open('same'), await open('same')]
    const [noticesOfOne, noticesOfTwo] = [recordNotices(one, 'options'), recordNotices(two, 'options')]
    one.publish('options', 'first')
    one.publish('options', 'second')
    two.publish('options', 'done')
    await vi.waitFor(() => expect(noticesOfTwo).toHaveLength(3))
    await vi.waitFor(() => expect(noticesOfOne).toHaveLength(3))
    expect(noticesOfTwo).toEqual([
      { kind: 'message', message: 'done', own: true },
      { kind: 'message', message: 'first', own: false },
      { kind: 'message', message: 'second', own: false },
    ])
    expect(noticesOfOne.filter((notice) => notice.kind === 'message' && notice.own)).toHaveLength(2)
  })

  it('sends resync after the link was down, and then delivers messages again', async () => {
    const [one, two] = [await open('one'), await open('two')]
    const notices = recordNotices(two, 'options')
    await redis.stop()
    await redis.start()
    await vi.waitFor(() => expect(notices).toEqual([{ kind: 'resync' }]))
    one.publish('options', 'after')
    await vi.waitFor(() => expect(notices).toContainEqual({ kind: 'message', message: 'after', own: false }))
  })

  it('sends messages that were published just before closing', async () => {
    const [one, two] = [await open('one'), await open('two')]
    const notices = recordNotices(two, 'options')
    one.publish('options', 'last words')
    await one.close()
    await vi.waitFor(() => expect(notices).toHaveLength(1))
  })
})
