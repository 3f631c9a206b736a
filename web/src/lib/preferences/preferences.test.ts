import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeFetch, refused } from '../../test/fake-fetch.ts'
import type { TableLayout } from '../api/contract.ts'
import { forgetUser, storeUser } from '../api/session.ts'
import { preferencesStore } from './preferences.ts'
import { syncPreferences } from './preferences-sync.ts'

const path = '/api/user/self/preferences'
const layout = (density: TableLayout['density'] = 'compact'): TableLayout => ({
  order: ['a'],
  hidden: [],
  widths: {},
  pins: {},
  density,
})
const chosen = (change: object) => ({
  tables: {},
  views: {},
  default_views: {},
  marks: {},
  shared_views: {},
  ...change,
})
let nextId = 100
const signIn = (userId?: number) => {
  nextId += 1
  const id = userId ?? nextId
  storeUser({ id, username: `u${id}`, display_name: '', role: 1, status: 1, group: '' })
  return id
}
const storedPreferences = (id: number) => JSON.parse(localStorage.getItem(`preferences:${id}`) ?? 'null') as unknown
const sentBodies = (calls: ReturnType<typeof fakeFetch>) =>
  calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)

beforeEach(() => {
  forgetUser()
  vi.useRealTimers()
})

describe('preferences', () => {
  it('hold at once and are remembered for this person only', () => {
    const first = signIn()
    preferencesStore.change({ time_zone: 'UTC', tables: { logs: layout() } })
    expect(preferencesStore.get().all).toEqual(chosen({ time_zone: 'UTC', tables: { logs: layout() } }))
    signIn()
    expect(preferencesStore.get().all).toEqual(chosen({}))
    signIn(first)
    expect(preferencesStore.get().all).toEqual(chosen({ time_zone: 'UTC', tables: { logs: layout() } }))
    expect(storedPreferences(first)).toMatchObject({ unsent: { time_zone: 'UTC' } })
  })

  it.each(['{', '[]', '{"all":1}', '{"all":{"views":[]}}'])('begin anew where %s is remembered', (text) => {
    localStorage.setItem('preferences:77', text)
    signIn(77)
    expect(preferencesStore.get().all).toEqual(chosen({}))
  })

  it('follow what another window chose', () => {
    const id = signIn()
    localStorage.setItem(`preferences:${id}`, JSON.stringify({ all: { time_zone: 'UTC', tables: {} }, unsent: {} }))
    dispatchEvent(new StorageEvent('storage', { key: `preferences:${id}` }))
    expect(preferencesStore.get().all.time_zone).toBe('UTC')
  })
})

it('hold views one by one, and forget them one by one', () => {
  signIn()
  const view = { table: 'logs', name: 'mine', search: { type: '5' } }
  preferencesStore.change({ views: { a: view, b: view }, default_views: { logs: 'a' } })
  preferencesStore.change({ views: { a: null }, default_views: { logs: null } })
  expect(preferencesStore.get().all).toEqual(chosen({ views: { b: view } }))
  expect(preferencesStore.get().unsent).toEqual({ views: { a: null, b: view }, default_views: { logs: null } })
})

describe('the server', () => {
  it('is read once; unsent changes are applied on top of its answer and sent', async () => {
    const id = signIn()
    preferencesStore.change({ tables: { logs: layout() } })
    const calls = fakeFetch({
      [`GET ${path}`]: () => chosen({ time_zone: 'UTC', tables: { logs: layout('comfortable'), tokens: layout() } }),
      [`PUT ${path}`]: () => undefined,
    })
    const stop = syncPreferences()
    await vi.waitFor(() => expect(sentBodies(calls)).toEqual([{ tables: { logs: layout() } }]))
    expect(preferencesStore.get().all).toEqual(
      chosen({ time_zone: 'UTC', tables: { logs: layout(), tokens: layout() } }),
    )
    await vi.waitFor(() => expect(storedPreferences(id)).toMatchObject({ unsent: {} }))
    stop()
  })

  it('receives several changes in one call, and only the changes', async () => {
    signIn()
    const calls = fakeFetch({
      [`GET ${path}`]: () => chosen({ tables: { tokens: layout() } }),
      [`PUT ${path}`]: () => undefined,
    })
    const stop = syncPreferences()
    await vi.waitFor(() => expect(preferencesStore.get().all.tables.tokens).toBeTruthy())
    preferencesStore.change({ tables: { logs: layout() } })
    preferencesStore.change({ time_zone: 'UTC' })
    preferencesStore.change({ tables: { logs: null, users: layout() } })
    await vi.waitFor(() =>
      expect(sentBodies(calls)).toEqual([{ time_zone: 'UTC', tables: { logs: null, users: layout() } }]),
    )
    stop()
  })

  it('receives again what did not reach it, and never again what it refuses', async () => {
    signIn()
    let answer = (): unknown => refused('down', 'internal_error', 500)
    const calls = fakeFetch({ [`GET ${path}`]: () => chosen({}), [`PUT ${path}`]: () => answer() })
    const stop = syncPreferences()
    preferencesStore.change({ time_zone: 'UTC' })
    await vi.waitFor(() => expect(sentBodies(calls)).toHaveLength(1))
    expect(preferencesStore.get().unsent).toEqual({ time_zone: 'UTC' })
    answer = () => refused('no', 'invalid_parameter')
    preferencesStore.change({ tables: { logs: layout() } })
    await vi.waitFor(() => expect(sentBodies(calls)).toHaveLength(2))
    expect(sentBodies(calls)[1]).toEqual({ time_zone: 'UTC', tables: { logs: layout() } })
    await vi.waitFor(() => expect(preferencesStore.get().unsent).toEqual({}))
    stop()
  })

  it('receives a choice made while a change was being sent', async () => {
    signIn()
    const waiting: (() => void)[] = []
    const calls = fakeFetch({
      [`GET ${path}`]: () => chosen({}),
      [`PUT ${path}`]: () => new Promise<void>((resolve) => waiting.push(resolve)),
    })
    const stop = syncPreferences()
    preferencesStore.change({ tables: { logs: layout() } })
    await vi.waitFor(() => expect(waiting).toHaveLength(1))
    preferencesStore.change({ tables: { logs: layout('comfortable') } })
    waiting[0]?.()
    await vi.waitFor(() => expect(sentBodies(calls)[1]).toEqual({ tables: { logs: layout('comfortable') } }))
    waiting[1]?.()
    await vi.waitFor(() => expect(preferencesStore.get().unsent).toEqual({}))
    stop()
  })

  it('that cannot be reached leaves the console with what this browser remembers', async () => {
    const id = signIn()
    localStorage.setItem(`preferences:${id}`, JSON.stringify({ all: { time_zone: 'UTC', tables: {} }, unsent: {} }))
    dispatchEvent(new StorageEvent('storage', { key: `preferences:${id}` }))
    const calls = fakeFetch({ [`GET ${path}`]: () => Promise.reject(new Error('offline')) })
    const stop = syncPreferences()
    await vi.waitFor(() => expect(calls).toHaveLength(1))
    expect(preferencesStore.get().all.time_zone).toBe('UTC')
    stop()
  })
})
