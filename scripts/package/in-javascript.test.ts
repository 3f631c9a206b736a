import { expect, it } from 'vitest'
import { inJavaScript, withJavaScriptNames } from './in-javascript.ts'

it('takes types away and names modules by what they have become', () => {
  const source = [
    "import { type Log, note } from '../lib/log.ts'",
    "import type { Only } from './only-types.ts'",
    "const script = new URL('./worker.ts', import.meta.url)",
    "export const load = async (name: string): Promise<unknown> => import('./parts/one-part.ts')",
  ].join('\n')
  const lines = inJavaScript(source).split('\n')
  expect(lines[0]?.replaceAll(/\s+/g, ' ')).toBe("import { note } from '../lib/log.js'")
  expect(lines[1]?.trim()).toBe('')
  expect(lines[2]).toContain("new URL('./worker.js', import.meta.url)")
  expect(lines[3]).toContain("import('./parts/one-part.js')")
})

it('leaves texts that are no paths', () => {
  expect(withJavaScriptNames("say('see the file a.ts for more'); const end = '.ts'")).toBe(
    "say('see the file a.ts for more'); const end = '.ts'",
  )
})
