import { expect, it } from 'vitest'
import { drawsConsole, styleImports } from './component-styles.ts'

it('brings what a component stands on before its own styles, each once', () => {
  const lines = styleImports("import { Button, NumberInput, PasswordInput } from '@mantine/core'")
  expect([...lines.matchAll(/core\/styles\/(\w+)\.css/g)].map(([, name]) => name)).toEqual([
    'Input',
    'NumberInput',
    'PasswordInput',
  ])
  // The console's look says otherwise than the library, so it comes after it.
  expect(lines.indexOf('styles/parts/Input.css')).toBeGreaterThan(lines.indexOf('core/styles/Input.css'))
})

it('adds nothing for types, and refuses an unknown component', () => {
  expect(styleImports("import type { ModalProps } from '@mantine/core'")).toBe('')
  expect(styleImports("import { type ModalProps } from '@mantine/core'")).toBe('')
  expect(() => styleImports("import { Spoiler } from '@mantine/core'")).toThrow('Spoiler')
})

it('is for the console and the screens of modules', () => {
  const isDrawn = ['/a/web/src/features/logs/screen.tsx', '/a/modules/site-imports/web/forms/screen.tsx']
  const isNot = ['/a/modules/site-imports/server/join.ts', '/a/web/src/floors.test.ts', '/a/node_modules/x/index.ts']
  expect([...isDrawn, ...isNot].filter(drawsConsole)).toEqual(isDrawn)
})
