import { expect, it } from 'vitest'
import { loadPart, PartMissing } from './load-part.ts'

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
