/// <reference types="node" />
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withoutUnusedColours } from './lean-palette.ts'

const assets = join(import.meta.dirname, '../dist/assets')

const namesIn = (text: string): string[] =>
  [...text.matchAll(/var\((--mantine-color-[\w-]+)\)/g)].map(([, name = '']) => name)

it.skipIf(!existsSync(assets))(
  'leaves out no colour that the styles still ask for (skipped until the console is built)',
  () => {
    const sheets = readdirSync(assets).filter((file) => file.endsWith('.css'))
    const css = sheets.map((file) => readFileSync(join(assets, file), 'utf8')).join('\n')
    // The look says anew what the library says in colours that are gone, in the sheet that declares the library's own.
    const declared = new Map(
      [...css.matchAll(/(--[\w-]+):([^;{}]*)[;}]/g)].map(([, name = '', value = '']) => [name, value]),
    )
    const rules = css.replace(/--[\w-]+:[^;{}]*/g, '')
    const reached = new Set<string>()
    const reach = (name: string): void => {
      if (reached.has(name)) return
      reached.add(name)
      for (const next of namesIn(declared.get(name) ?? '')) reach(next)
    }
    for (const name of namesIn(rules)) reach(name)
    expect(reached.size).toBeGreaterThan(20)
    expect([...reached].filter((name) => !declared.has(name))).toEqual([])
  },
)

it('leaves out unused colours', () => {
  const variables = createRequire(import.meta.url).resolve('@mantine/core/styles/default-css-variables.css')
  const css = withoutUnusedColours(readFileSync(variables, 'utf8'))
  expect(css).not.toMatch(/--mantine-color-(pink|grape)-\d:/)
  expect(css).toMatch(/--mantine-color-gray-1:/)
})
