import { afterEach, expect, it, vi } from 'vitest'
import { connectionStore } from '../api/connection.ts'
import { loadInPlace, loadPart, outdatedStore, PartMissing } from './load-part.ts'

const missing = new TypeError('Failed to fetch dynamically imported module: http://console.test/assets/a.js')

afterEach(() => {
  connectionStore.set(true)
  outdatedStore.set(false)
  vi.unstubAllGlobals()
})

it.each([
  'Failed to fetch dynamically imported module: http://console.test/assets/a.js',
  'error loading dynamically imported module',
  'Importing a module script failed.',
  'Unable to preload CSS for /assets/D.css',
])('knows files that did not come by the words of browsers: %s', async (message) => {
  await expect(loadPart(() => Promise.reject(new TypeError(message)))).rejects.toBeInstanceOf(PartMissing)
})

it('leaves other failures as they are', async () => {
  const broken = new Error('x is not a function')
  await expect(loadPart(() => Promise.reject(broken))).rejects.toBe(broken)
  await expect(loadPart(() => Promise.resolve(1))).resolves.toBe(1)
})

it('tries files that did not come once more', async () => {
  const load = vi.fn(() => Promise.resolve('part')).mockRejectedValueOnce(missing)
  expect(await loadPart(load)).toBe('part')
  expect(load).toHaveBeenCalledTimes(2)
})

it('waits for the server where a part opens on a page in use', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  const load = vi.fn(() => Promise.resolve('part'))
  load.mockRejectedValueOnce(missing).mockRejectedValueOnce(missing)
  const part = loadInPlace(load)
  await vi.waitFor(() => expect(connectionStore.get()).toBe(false))
  connectionStore.set(true)
  expect(await part).toBe('part')
  expect(outdatedStore.get()).toBe(false)
})

it('loads a part whose files came back with the server, before it was looked for', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({})))
  const load = vi.fn(() => Promise.resolve('part'))
  load.mockRejectedValueOnce(missing).mockRejectedValueOnce(missing)
  expect(await loadInPlace(load)).toBe('part')
  expect(outdatedStore.get()).toBe(false)
})

it('waits while a proxy answers in the place of the server', async () => {
  const page = { status: 502, headers: { 'content-type': 'text/html' } }
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('<h1>Bad Gateway</h1>', page)))
  const load = vi.fn(() => Promise.resolve('part'))
  load.mockRejectedValueOnce(missing).mockRejectedValueOnce(missing)
  const part = loadInPlace(load)
  await vi.waitFor(() => expect(connectionStore.get()).toBe(false))
  connectionStore.set(true)
  expect(await part).toBe('part')
  expect(outdatedStore.get()).toBe(false)
})

it('says that the page is outdated where the server answers without the files', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({})))
  void loadInPlace(() => Promise.reject(missing))
  await vi.waitFor(() => expect(outdatedStore.get()).toBe(true))
})
