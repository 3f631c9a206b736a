import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { redisHere, type TestRedis, testRedis } from '../../../test/support/lib/redis.ts'
import { silentLog } from '../log.ts'
import { type Bus, openBus } from './bus.ts'
import type { BusNotice } from './bus-notice.ts'

const heardBy = (bus: Bus, topic: string): BusNotice[] => {
  const heard: BusNotice[] = []
  bus.subscribe(topic, (notice) => heard.push(notice))
  return heard
}

describe('a bus within one process', () => {
  it('tells the listeners of a topic before publish returns, and no others', () => {
    const bus = openBus({ nodeName: 'one', log: silentLog })
    const options = heardBy(bus, 'options')
    const channels = heardBy(bus, 'channels')
    bus.publish('options', 'Notice')
    expect(options).toEqual([{ kind: 'message', message: 'Notice', own: true }])
    expect(channels).toEqual([])
  })

  it('tells nobody who has unsubscribed', () => {
    const bus = openBus({ nodeName: 'one', log: silentLog })
    const listener = vi.fn()
    bus.subscribe('options', listener)()
    bus.publish('options')
    expect(listener).not.toHaveBeenCalled()
  })

  it('tells the others when one listener throws, and logs it', () => {
    const log = { ...silentLog, error: vi.fn() }
    const bus = openBus({ nodeName: 'one', log })
    bus.subscribe('options', () => {
      throw new Error('broken listener')
    })
    const heard = heardBy(bus, 'options')
    bus.publish('options')
    expect(heard).toHaveLength(1)
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

  it('tells the other node once and the own node once, also when both have the same name', async () => {
    const [one, two] = [await open('same'), await open('same')]
    const [heardByOne, heardByTwo] = [heardBy(one, 'options'), heardBy(two, 'options')]
    one.publish('options', 'first')
    one.publish('options', 'second')
    two.publish('options', 'done')
    await vi.waitFor(() => expect(heardByTwo).toHaveLength(3))
    await vi.waitFor(() => expect(heardByOne).toHaveLength(3))
    expect(heardByTwo).toEqual([
      { kind: 'message', message: 'done', own: true },
      { kind: 'message', message: 'first', own: false },
      { kind: 'message', message: 'second', own: false },
    ])
    expect(heardByOne.filter((notice) => notice.kind === 'message' && notice.own)).toHaveLength(2)
  })

  it('asks for a resync after the link was down, and hears messages again', async () => {
    const [one, two] = [await open('one'), await open('two')]
    const heard = heardBy(two, 'options')
    await redis.stop()
    await redis.start()
    await vi.waitFor(() => expect(heard).toEqual([{ kind: 'resync' }]), { timeout: 20_000 })
    one.publish('options', 'after')
    await vi.waitFor(() => expect(heard).toContainEqual({ kind: 'message', message: 'after', own: false }), {
      timeout: 20_000,
    })
  })

  it('sends what was published just before closing', async () => {
    const [one, two] = [await open('one'), await open('two')]
    const heard = heardBy(two, 'options')
    one.publish('options', 'last words')
    await one.close()
    await vi.waitFor(() => expect(heard).toHaveLength(1))
  })
})
