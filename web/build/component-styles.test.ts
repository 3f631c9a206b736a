import { expect, it } from 'vitest'
import { componentStyles, sheetsOf } from './component-styles.ts'

const library = '/a/node_modules/@mantine/core/esm/components'

const transformed = (id: string): string => {
  const { transform } = componentStyles()
  const result = typeof transform === 'function' ? transform.call({} as never, 'code', id) : undefined
  return typeof result === 'object' && result !== null && 'code' in result ? String(result.code) : ''
}

it('brings the sheet of a component with its classes, and the look of the console after it', () => {
  const code = transformed(`${library}/Input/Input.module.mjs`)
  expect(code).toMatch(/^import "@mantine\/core\/styles\/Input\.css";import ".*\/styles\/parts\/Input\.css";code$/)
  expect(transformed(`${library}/../utils/InlineInput/InlineInput.module.mjs`)).toMatch(
    /^import "@mantine\/core\/styles\/InlineInput\.css";/,
  )
  expect(transformed(`${library}/Input/InputWrapper/InputWrapper.mjs`)).toBe('')
})

it('names a sheet that has no look of its own', () => {
  expect(sheetsOf('Slider')).toEqual(['@mantine/core/styles/Slider.css'])
})
