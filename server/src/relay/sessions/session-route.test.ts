import { describe, expect, it } from 'vitest'
import { testChannel } from '../../../test/support/relay/ports.ts'
import { localBus } from '../../lib/redis/local-bus.ts'
import type { RelayChannel } from '../ports.ts'
import { sessionOf } from './session-of.ts'
import { openSessionPlaces, type SessionPlaces } from './session-places.ts'
import { type AgainstChannel, SessionRoute, type SessionTrace, warmMs } from './session-route.ts'

const ofName = (name: string) => {
  const session = sessionOf({ scope: '1', headers: { 'x-session-id': name }, body: {}, dialect: undefined, size: 0 })
  if (session === undefined) throw new Error('a named session is known')
  return session
}

const three = [1, 2, 3].map((id) => testChannel({ id }))
const none: ReadonlySet<number> = new Set()

interface Situation {
  readonly channels?: readonly RelayChannel[]
  readonly now?: number
  readonly against?: Readonly<Record<number, AgainstChannel>>
  readonly name?: string
}

/** One call that is answered by the first channel that is asked. */
const call = (
  places: SessionPlaces,
  { channels = three, now = 0, against, name = 's' }: Situation = {},
): { channel: number; trace: SessionTrace } => {
  const route = new SessionRoute(ofName(name), 'gpt', places, now)
  const channel = route.channel({
    candidates: channels,
    tried: none,
    number: 0,
    against: against && ((candidate) => against[candidate.id]),
  })
  if (channel === undefined) throw new Error('there is a channel')
  const trace = route.trace(channel, channel.keys[0] ?? '', 0)
  route.answered(channel, channel.keys[0] ?? '', now)
  return { channel: channel.id, trace }
}

const minute = 60_000

describe('a session', () => {
  it('begins cold, and then finds its channel again', () => {
    const places = openSessionPlaces()
    const first = call(places)
    expect(first.trace).toMatchObject({ state: 'cold', why: 'new' })
    const second = call(places, { now: minute })
    expect(second).toMatchObject({ channel: first.channel, trace: { state: 'hit' } })
    expect(second.trace.id).toBe(first.trace.id)
  })

  it.each(['in_trouble', 'too_long', 'below_cost'] as const)(
    'moves where its channel is %s, and stays there while the cache is warm',
    (why) => {
      const places = openSessionPlaces()
      const { channel: home } = call(places)
      const moved = call(places, { now: minute, against: { [home]: why } })
      expect(moved.channel).not.toBe(home)
      expect(moved.trace).toMatchObject({ state: 'moved', why })
      expect(call(places, { now: 2 * minute })).toMatchObject({ channel: moved.channel, trace: { state: 'hit' } })
      const later = call(places, { now: 2 * minute + warmMs })
      expect(later).toMatchObject({ channel: home, trace: { state: 'cold', why: 'idle' } })
    },
  )

  it('moves where its channel is no longer there', () => {
    const places = openSessionPlaces()
    const { channel: home } = call(places)
    const rest = three.filter(({ id }) => id !== home)
    expect(call(places, { channels: rest }).trace).toMatchObject({ state: 'moved', why: 'not_available' })
  })

  it('does not leave a warm channel for a new one that its hash would choose', () => {
    const places = openSessionPlaces()
    const { channel: home } = call(places)
    const more = [...three, ...Array.from({ length: 20 }, (_, index) => testChannel({ id: index + 10, weight: 1000 }))]
    expect(call(places, { channels: more, now: minute })).toMatchObject({ channel: home, trace: { state: 'hit' } })
    expect(call(places, { channels: more, now: minute + warmMs }).channel).toBeGreaterThan(9)
  })

  it('says that it was refused where another channel answered', () => {
    const places = openSessionPlaces()
    const { channel: home } = call(places)
    const route = new SessionRoute(ofName('s'), 'gpt', places, minute)
    const next = route.channel({ candidates: three, tried: new Set([home]), number: 1, against: undefined })
    if (next === undefined) throw new Error('others are left')
    expect(route.trace(next, 'channel-key', 1)).toMatchObject({ state: 'moved', why: 'refused' })
  })

  it('is forgotten when many others came after it', () => {
    const places = openSessionPlaces({ most: 10 })
    for (let index = 0; index < 30; index += 1) call(places, { name: `s${index}` })
    expect(places.size).toBe(10)
    expect(call(places, { name: 's0' }).trace.why).toBe('new')
    expect(call(places, { name: 's29' }).trace.state).toBe('hit')
  })
})

/** Two nodes that hear each other. */
const twoNodes = () => {
  const log = { error: () => {} } as unknown as Parameters<typeof localBus>[0]
  const buses = [localBus(log), localBus(log)]
  let messages = 0
  return {
    count: () => messages,
    nodes: buses.map((bus) =>
      openSessionPlaces({
        bus: {
          subscribe: bus.subscribe,
          publish: (topic, message = '') => {
            messages += 1
            for (const other of buses) other.deliver(topic, { kind: 'message', message, own: other === bus })
          },
        },
      }),
    ),
  }
}

describe('two nodes', () => {
  it('send a session to one place, also after it moved, with a message when it begins and one when it moves', () => {
    const { nodes, count } = twoNodes()
    const [one, other] = nodes
    if (one === undefined || other === undefined) throw new Error('there are two')
    const { channel: home } = call(one)
    expect(call(other)).toMatchObject({ channel: home, trace: { state: 'hit' } })
    const { channel: away } = call(one, { now: 1, against: { [home]: 'in_trouble' } })
    for (let now = 2; now < 20; now += 1) {
      expect(call(now % 2 === 0 ? one : other, { now })).toMatchObject({ channel: away, trace: { state: 'hit' } })
    }
    expect(count()).toBe(2)
  })

  it('choose the same place without a message', () => {
    const [one, other] = [openSessionPlaces(), openSessionPlaces()]
    for (let index = 0; index < 200; index += 1) {
      const name = `s${index}`
      expect(call(one, { name }).channel).toBe(call(other, { name }).channel)
    }
  })
})
