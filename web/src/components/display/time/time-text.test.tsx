import { act, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { renderConsole } from '../../../test/render-console.tsx'
import { TimeText } from './time-text.tsx'

afterEach(() => vi.useRealTimers())

it('updates the elapsed time while nothing else changes', async () => {
  vi.useFakeTimers({ now: new Date('2026-11-20T12:00:00Z'), toFake: ['Date', 'setInterval', 'clearInterval'] })
  await renderConsole(<TimeText at={Date.parse('2026-11-20T11:57:00Z') / 1000} relative />)
  expect(screen.getByText('3分钟前')).toBeTruthy()
  act(() => vi.advanceTimersByTime(120_000))
  expect(screen.getByText('5分钟前')).toBeTruthy()
})
