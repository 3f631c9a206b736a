import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findRenderingHooks } from './rendering-hooks.ts'

const source = `
export const useDialog = () => ({ dialog: <dialog /> })
export function useParts() {
  const parts = () => [1].map((id) => <li key={id}>text</li>)
  return parts
}
const useText = () => <>text</>
export const useState = () => ({ opened: true, close: () => undefined })
export const Dialog = () => {
  const useInner = () => <p>text</p>
  return useInner()
}
export const used = <p>text</p>
`

it('finds hooks that hold JSX, and lets components and other hooks pass', () => {
  const root = mkdtempSync(join(tmpdir(), 'tollgate-lint-'))
  try {
    const config = join(root, 'tsconfig.json')
    writeFileSync(config, JSON.stringify({ compilerOptions: { jsx: 'preserve' }, files: ['a.tsx'] }))
    writeFileSync(join(root, 'a.tsx'), source)
    expect(findRenderingHooks(config, root, (path) => path.endsWith('/a.tsx'))).toEqual([
      'a.tsx: useDialog',
      'a.tsx: useParts',
      'a.tsx: useText',
    ])
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})
