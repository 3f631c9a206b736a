import { act, render } from '@testing-library/react'
import { useRef } from 'react'
import { expect, it, vi } from 'vitest'
import { useFits } from './grid.tsx'

const Frame = () => {
  const frame = useRef<HTMLDivElement>(null)
  const fits = useFits(frame)
  return (
    <div ref={frame} data-testid="frame" data-fits={fits || undefined}>
      <table />
    </div>
  )
}

it('sees whether the table of a frame is wider than the frame, whenever one of them changes', () => {
  let measure = (): void => undefined
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(changed: () => void) {
        measure = changed
      }
      observe = (): void => undefined
      disconnect = (): void => undefined
    },
  )
  const { getByTestId } = render(<Frame />)
  const frame = getByTestId('frame')
  const widths = (outer: number, inner: number): void => {
    Object.defineProperty(frame, 'clientWidth', { configurable: true, value: outer })
    Object.defineProperty(frame.firstElementChild, 'clientWidth', { configurable: true, value: inner })
    act(measure)
  }
  widths(800, 800)
  expect(frame.dataset.fits).toBe('true')
  widths(800, 900)
  expect(frame.dataset.fits).toBeUndefined()
})
