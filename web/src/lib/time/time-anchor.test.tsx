import { useLocation } from '@tanstack/react-router'
import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderConsole } from '../../test/render-console.tsx'
import { momentForPage, useTimeAnchor } from './time-anchor.ts'

const noon = Date.parse('2026-11-20T12:00:00Z')
const unix = (seconds: number): string => String(noon / 1000 + seconds)

const Log = () => {
  const [anchor, renew] = useTimeAnchor()
  return (
    <>
      <output>{anchor}</output>
      <button type="button" onClick={renew}>
        刷新
      </button>
    </>
  )
}
const Pages = () => (useLocation().pathname === '/log' ? <Log /> : <p>别处</p>)
const shown = (): string | null => screen.getByRole('status').textContent

describe('the moment that a list is as of', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: noon, toFake: ['Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is now on the first visit, and unchanged on return', async () => {
    const { router } = await renderConsole(<Pages />, '/log')
    expect(shown()).toBe(unix(0))
    vi.setSystemTime(noon + 60_000)
    act(() => screen.getByRole('button', { name: '刷新' }).click())
    expect(shown()).toBe(unix(60))

    await act(() => router.navigate({ to: '/user' as '/' }))
    vi.setSystemTime(noon + 120_000)
    act(() => router.history.back())
    await screen.findByRole('status')
    expect(shown()).toBe(unix(60))

    await act(() => router.navigate({ to: '/user' as '/' }))
    await act(() => router.navigate({ to: '/log' as '/' }))
    expect(shown()).toBe(unix(120))
  })

  it('is the moment that was read ahead with, for some seconds', async () => {
    vi.setSystemTime(noon + 200_000)
    expect(String(momentForPage())).toBe(unix(200))
    vi.setSystemTime(noon + 203_000)
    const { unmount } = await renderConsole(<Pages />, '/log')
    expect(shown()).toBe(unix(200))
    unmount()
    vi.setSystemTime(noon + 210_000)
    await renderConsole(<Pages />, '/log')
    expect(shown()).toBe(unix(210))
  })
})
