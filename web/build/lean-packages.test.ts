/// <reference types="node" />
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withoutMembers } from './lean-packages.ts'

const source = join(import.meta.dirname, '../src')

it('takes parts off a component, and leaves what draws it', () => {
  const code = 'const Button = polymorphicFactory(draw);\nButton.classes = classes;\nButton.Group = ButtonGroup;\n'
  expect(withoutMembers(code)).toBe('const Button = polymorphicFactory(draw);\nButton.classes = classes;\n\n')
})

it('the console uses nothing that the build leaves out', () => {
  const left = /\b(?:Checkbox|Radio|Button|ActionIcon)\.[A-Z]/
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))
  expect(files.length).toBeGreaterThan(300)
  expect(files.filter((file) => left.test(readFileSync(join(source, file), 'utf8')))).toEqual([])
})
