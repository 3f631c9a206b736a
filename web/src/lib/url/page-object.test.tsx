import { renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useShownObject, useTitleOf } from './page-object.ts'

it('names what is on top, and what is under it again when that goes', () => {
  const shown = renderHook(useShownObject)
  expect(shown.result.current).toBeUndefined()
  const page = renderHook(({ name }) => useTitleOf(name), { initialProps: { name: 'alice' } })
  const sheet = renderHook(({ name }) => useTitleOf(name), { initialProps: { name: 'key 1' as string | undefined } })
  shown.rerender()
  expect(shown.result.current).toBe('key 1')
  sheet.rerender({ name: undefined })
  shown.rerender()
  expect(shown.result.current).toBe('alice')
  page.rerender({ name: 'bob' })
  shown.rerender()
  expect(shown.result.current).toBe('bob')
  page.unmount()
  shown.rerender()
  expect(shown.result.current).toBeUndefined()
})
