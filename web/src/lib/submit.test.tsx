import { act, renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useSubmit } from './submit.ts'

it('says how far the work is, and keeps its failure until the next run', async () => {
  const { result } = renderHook(() =>
    useSubmit(async (fails: boolean) => {
      if (fails) throw new Error('refused')
      return 7
    }),
  )
  await act(() => result.current.submit(true).catch(() => undefined))
  expect(result.current).toMatchObject({ busy: false, data: undefined, error: new Error('refused') })
  await act(() => result.current.submit(false))
  expect(result.current).toMatchObject({ busy: false, data: 7, error: undefined })
})

it('shows the latest of several runs, whichever ends last', async () => {
  const ends: (() => void)[] = []
  const { result } = renderHook(() =>
    useSubmit(async (name: string) => {
      await new Promise<void>((resolve) => ends.push(resolve))
      return name
    }),
  )
  await act(async () => {
    const first = result.current.submit('first')
    const second = result.current.submit('second')
    ends[1]?.()
    await second
    ends[0]?.()
    await first
  })
  expect(result.current).toMatchObject({ busy: false, data: 'second' })
})

it('forgets a run that ends after a reset', async () => {
  const { result } = renderHook(() => useSubmit(() => Promise.reject(new Error('refused'))))
  await act(async () => {
    const run = result.current.submit()
    result.current.reset()
    await run.catch(() => undefined)
  })
  expect(result.current).toMatchObject({ busy: false, error: undefined })
})
