import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { linkedBuses } from '../../../test/support/lib/linked-buses.ts'
import { type CountFile, openCountFile } from './count-file.ts'
import { openSessionCounts, type SessionCounts } from './session-counts.ts'

const id = '0123456789abcdef'
const time = { now: 1000 }
const clock = () => time.now

/** Nodes whose pauses the test ends. */
const openNodes = (count: number) => {
  const waiting: (() => void)[] = []
  const sent: string[] = []
  const later = (work: () => void): void => {
    waiting.push(work)
  }
  const buses = linkedBuses(count + 1).map((bus) => ({
    ...bus,
    publish: (topic: string, message?: string) => {
      sent.push(message ?? '')
      bus.publish(topic, message)
    },
  }))
  const open = (node: number): SessionCounts => {
    const bus = buses[node]
    if (bus === undefined) throw new Error('no such node')
    return openSessionCounts({ clock, bus, later })
  }
  const pass = (): void => {
    for (const work of waiting.splice(0)) work()
  }
  return { nodes: Array.from({ length: count }, (_, node) => open(node)), open, pass, sent }
}

const [a, b] = [0, 1]

it('adds up what a session came to at all nodes, after one message of each for any number of calls', () => {
  const { nodes, pass, sent } = openNodes(2)
  for (let call = 0; call < 30; call += 1) nodes[call % 2]?.called(id)
  nodes[a]?.charged(id, 500)
  nodes[b]?.charged(id, 70)
  expect(nodes[a]?.sum(id)).toMatchObject({ calls: 15, quota: 500 })
  pass()
  for (const node of nodes) expect(node.sum(id)).toEqual({ startedAt: 1000, calls: 30, quota: 570 })
  expect(sent.filter((message) => message.startsWith(id))).toHaveLength(2)
})

it('counts minutes from the first call, wherever that was', () => {
  const { nodes, pass } = openNodes(2)
  nodes[a]?.called(id)
  time.now += 60_000
  nodes[b]?.called(id)
  pass()
  expect(nodes[b]?.sum(id).startedAt).toBe(nodes[a]?.sum(id).startedAt)
})

it('tells a node that starts what all counted before, also what that node did under its former name', async () => {
  const { nodes, open, pass } = openNodes(2)
  nodes[a]?.called(id)
  nodes[b]?.called(id)
  pass()
  nodes[a]?.called(id)
  pass()
  const again = open(2)
  await Promise.resolve()
  await Promise.resolve()
  expect(again.sum(id).calls).toBe(3)
  again.called(id)
  pass()
  expect(nodes[b]?.sum(id).calls).toBe(4)
})

it('begins anew after a day of silence, and forgets the sessions that were silent longest', () => {
  const counts = openSessionCounts({ clock, most: 2 })
  counts.called(id)
  time.now += 86_399_999
  expect(counts.peek(id)).toMatchObject({ calls: 1, quota: 0 })
  // Looking is no use.
  time.now += 1
  expect(counts.peek(id)).toBeUndefined()
  expect(counts.sum(id).calls).toBe(0)
  for (const other of ['a', 'b', 'c']) counts.called(other)
  expect(counts.sum('c').calls).toBe(1)
  expect(counts.sum('a').calls).toBe(0)
})

it('is known after a restart, and after a crash what was counted for good', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'counts-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = (worker: number, workers: number): CountFile =>
    openCountFile({ directory, worker, workers, warn: (event) => expect.fail(event) })
  const start = (worker = 1, workers = 1) => {
    const waiting: (() => void)[] = []
    const counts = openSessionCounts({ clock, file: file(worker, workers), later: (work) => void waiting.push(work) })
    return { counts, pass: () => waiting.splice(0).forEach((work) => void work()) }
  }
  const other = 'fedcba9876543210'
  const first = start()
  first.counts.called(id)
  first.counts.charged(id, 40)
  first.pass()
  first.counts.called(id)
  first.counts.calledForGood(other)
  time.now += 1000
  const second = start()
  expect(second.counts.sum(id)).toEqual({ startedAt: time.now - 1000, calls: 1, quota: 40 })
  expect(second.counts.sum(other).calls).toBe(1)
  second.counts.calledForGood(other)
  // Two workers become one.
  start(2, 2).counts.calledForGood(other)
  expect(start().counts.sum(other).calls).toBe(3)
  expect(start().counts.sum(other).calls).toBe(3)
  time.now += 86_400_000
  expect(start().counts.sum(other)).toEqual({ startedAt: time.now, calls: 0, quota: 0 })
})

it('reads past a line that a crash has cut, and writes the file anew when it is long', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'counts-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const path = join(directory, 'session-counts')
  await writeFile(path, `${time.now} ${id} ${time.now} 01234567 3 5\n${time.now} ${id} ${time.now} 0123`)
  const file = openCountFile({ directory, worker: 1, workers: 1, warn: (event) => expect.fail(event) })
  const counts = openSessionCounts({ clock, file })
  expect(counts.sum(id)).toMatchObject({ calls: 3, quota: 5 })
  for (let call = 0; call < 80_000; call += 1) counts.calledForGood(id)
  expect((await stat(path)).size).toBeLessThan(4.1 * 1024 * 1024)
  expect(
    openSessionCounts({ clock, file: openCountFile({ directory, worker: 1, workers: 1, warn: () => {} }) }).sum(id)
      .calls,
  ).toBe(80_003)
})
