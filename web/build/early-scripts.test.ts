/// <reference types="node" />
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { earlyScript } from './early-scripts.ts'

const screen = (feature: string): string => join(import.meta.dirname, `../src/features/${feature}/screen.tsx`)

it('prints what a screen reads first as a script of its own, without the screen', async () => {
  const script = await earlyScript({ path: '/log', access: 'signed_in' }, screen('logs'))
  expect(script).toContain('/api/log/')
  expect(script).not.toMatch(/<\/script|<!--/i)
  expect(gzipSync(script ?? '').length).toBeLessThan(4200)
  // It runs by itself: nothing is imported or expected to be there.
  expect(script).not.toMatch(/\bimport\b|\brequire\(|jsx/)
})

it('leaves out what the screen of the settings fetches later', async () => {
  const script = await earlyScript({ path: '/setting', access: 'admin' }, screen('settings'))
  expect(script).toContain('/api/option/')
  expect(script).not.toMatch(/\bimport\b|virtual:/)
})

it('prints nothing for a screen that reads nothing first', async () => {
  expect(await earlyScript({ path: '/join', access: 'signed_in' }, screen('join'))).toBeUndefined()
})
