import { expect, it } from 'vitest'
import { testCaller } from '../../test/support/relay/ports.ts'
import type { RelayCall } from './call.ts'
import type { CallCapture } from './call-capture.ts'
import type { InspectedCall, Inspections } from './captures.ts'
import { joinedCaptures, joinedInspections } from './joined-captures.ts'

const call: RelayCall = {
  id: 'id',
  startedAt: 0,
  caller: testCaller,
  ip: '',
  path: '/',
  model: 'm',
  stream: false,
  endpoint: 'embeddings',
  dialect: undefined,
  query: '',
  raw: Buffer.alloc(0),
  body: {},
  accept: undefined,
  passed: {},
}

const nothing = (): void => {}

const captures = (isOn: boolean, wants: boolean) => {
  const listeners: (() => void)[] = []
  const ended: string[] = []
  const capture: CallCapture = {
    taken: true,
    tap: (client) => client,
    sent: () => undefined,
    recorded: nothing,
    ended: () => void ended.push('ended'),
  }
  const self = {
    isOn,
    asked: 0,
    ended,
    open() {
      self.asked += 1
      return wants ? capture : undefined
    },
    watch: (listener: () => void) => void listeners.push(listener),
    set(next: boolean) {
      self.isOn = next
      for (const listener of listeners) listener()
    },
  }
  return self
}

it('asks only those that are on, and nobody where none is', () => {
  const [one, two] = [captures(false, true), captures(false, true)]
  const joined = joinedCaptures([one, two])
  expect(joined.current).toBeUndefined()
  two.set(true)
  joined.current?.open(call)?.ended(undefined)
  expect([one.asked, two.asked, two.ended.length]).toEqual([0, 1, 1])
  one.set(true)
  joined.current?.open(call)?.ended(undefined)
  expect([one.asked, two.asked, one.ended.length, two.ended.length]).toEqual([1, 2, 1, 2])
  one.set(false)
  two.set(false)
  expect(joined.current).toBeUndefined()
})

it('captures nothing where nobody who is on wants the call', () => {
  expect(joinedCaptures([captures(true, false), captures(true, false)]).current?.open(call)).toBeUndefined()
})

it('passes what a session goes on with to all who capture it', () => {
  const texts: string[] = []
  const inspections = (name: string, wants: boolean): Inspections => ({
    open: () => {
      const more = (text: string): void => void texts.push(`${name} ${text}`)
      const inspected: InspectedCall = {
        taken: wants,
        tap: (client) => client,
        sent: () => ({ head: nothing, data: nothing, more }),
        recorded: nothing,
        ended: nothing,
        more,
        answered: nothing,
      }
      return wants ? inspected : undefined
    },
  })
  expect(joinedInspections([])).toBeUndefined()
  const two = joinedInspections([inspections('a', false), inspections('b', true), inspections('c', true)])?.open(call)
  two?.more('came')
  two?.sent({ url: 'https://upstream.example', headers: [], body: Buffer.alloc(0), channel: 1 } as never)?.more('went')
  expect([texts, two?.taken]).toEqual([['b came', 'c came', 'b went', 'c went'], true])
})
