/// <reference types="node" />
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { componentStyles, styleImports } from './component-styles.ts'
import { withoutUnusedColours } from './lean-palette.ts'

const styles = join(import.meta.dirname, '../src/styles')
const resolve = createRequire(import.meta.url).resolve

const imported = (text: string): string[] => [...text.matchAll(/^import '(.+\.css)'$/gm)].map(([, path = '']) => path)

/** The sheets of the component library: the shell's, then those that components bring, with the console's own look. */
const sheets = (): string[] => {
  const brought = Object.keys(componentStyles).map((name) => `import { ${name} } from '@mantine/core'`)
  const lines = styleImports(brought.join('\n')).replaceAll('"', "'")
  return [...imported(readFileSync(join(styles, 'mantine.ts'), 'utf8')), ...imported(lines)].map((path) =>
    readFileSync(path.startsWith('.') ? join(styles, path) : path.startsWith('/') ? path : resolve(path), 'utf8'),
  )
}

const namesIn = (text: string): string[] =>
  [...text.matchAll(/var\((--mantine-color-[\w-]+)\)/g)].map(([, name = '']) => name)

it('leaves out no colour that the styles still ask for', () => {
  const css = withoutUnusedColours(sheets().join('\n'))
  // The last declaration counts: the look says anew what the library says in colours that are gone.
  const declared = new Map(
    [...css.matchAll(/(--[\w-]+):([^;{}]*);/g)].map(([, name = '', value = '']) => [name, value]),
  )
  const rules = css.replace(/--[\w-]+:[^;{}]*;/g, '')
  const reached = new Set<string>()
  const reach = (name: string): void => {
    if (reached.has(name)) return
    reached.add(name)
    for (const next of namesIn(declared.get(name) ?? '')) reach(next)
  }
  for (const name of namesIn(rules)) reach(name)
  expect(reached.size).toBeGreaterThan(20)
  expect([...reached].filter((name) => !declared.has(name))).toEqual([])
})

it('leaves out unused colours', () => {
  const css = withoutUnusedColours(sheets().join('\n'))
  expect(css).not.toMatch(/--mantine-color-(pink|grape)-\d:/)
  expect(css).toMatch(/--mantine-color-gray-1:/)
})
