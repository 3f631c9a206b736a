import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { spreadOver, ticksBetween, ticksUpTo } from './scale.ts'
import { Legend, StackedBars, type StackedBarsProps } from './stacked-bars.tsx'
import { TimeChart } from './time-chart.tsx'

describe('lines across a chart', () => {
  it.each([
    [0, [0, 1]],
    [7, [0, 2, 4, 6, 8]],
    [100, [0, 50, 100]],
    [0.03, [0, 0.01, 0.02, 0.03]],
    [123_456, [0, 50_000, 100_000, 150_000]],
  ])('stand at round numbers up to %d', (most, ticks) => {
    const found = ticksUpTo(most)
    expect(found.map((tick) => Number(tick.toPrecision(6)))).toEqual(ticks)
    expect(found.at(-1)).toBeGreaterThanOrEqual(most)
  })

  it('never stand between whole numbers', () => {
    expect(ticksUpTo(1, 4, { whole: true })).toEqual([0, 1])
    expect(ticksUpTo(3, 4, { whole: true })).toEqual([0, 1, 2, 3])
  })

  it('go below 0 where there are losses', () => {
    expect(ticksBetween(-30, 100)).toEqual([-50, 0, 50, 100])
    expect(ticksBetween(-4, -1, 4, { whole: true })).toEqual([-4, -3, -2, -1, 0])
    expect(ticksBetween(0, 100)).toEqual(ticksUpTo(100))
  })

  it('name a few places, evenly, the first among them', () => {
    expect(spreadOver(5, 8)).toEqual([0, 1, 2, 3, 4])
    expect(spreadOver(24, 8)).toEqual([0, 3, 6, 9, 12, 15, 18, 21])
    expect(spreadOver(0, 8)).toEqual([])
    expect(spreadOver(1, 8)).toEqual([0])
    expect(spreadOver(401, 8).length).toBeLessThanOrEqual(8)
  })
})

describe('names under an axis', () => {
  it('leave out a last one that would be cut off', () => {
    expect(spreadOver(25, 8)).toEqual([0, 4, 8, 12, 16, 20])
  })
})

it('hatches the bars of a time that is not over, and of no other', () => {
  const points = ['Mon', 'Tue', 'Wed'].map((short) => ({ short, long: short }))
  const chart = (unfinished?: number) =>
    render(
      <TimeChart
        label="Spend"
        points={points}
        series={[{ key: 'a', name: 'a', values: [1, 2, 3] }]}
        form="bar"
        stacked
        sums={[1, 2, 3]}
        unfinished={unfinished}
        format={String}
        axis={String}
        whole
        beforeLabel="before"
        onBrush={() => undefined}
      />,
    ).container
  const bars = (container: HTMLElement) =>
    [...container.querySelectorAll('path[class*="bar"]')].map(
      (path) => path.getAttribute('d')?.match(/M/g)?.length ?? 0,
    )
  const open = chart(2)
  expect(bars(open)).toEqual([2, 1])
  expect(open.querySelector('path[data-unfinished]')?.getAttribute('mask')).toMatch(/^url\(#/)
  expect(bars(chart())).toEqual([3])
})

describe('stacked bars', () => {
  const series = [
    { key: 'a', name: 'model-a', values: [1, 0, 3] },
    { key: 'rest', name: 'Other', values: [1, 0, 0], rest: true },
  ]
  const points = ['Mon', 'Tue', 'Wed'].map((short) => ({ short, long: `${short} 2026` }))
  const draw = (handlers: Pick<StackedBarsProps, 'onChoose' | 'onBrush'> = {}) =>
    render(
      <>
        <Legend series={series} />
        <StackedBars
          label="Cost by model"
          points={points}
          series={series}
          format={(value) => `$${value}`}
          totalLabel="Total"
          {...handlers}
        />
      </>,
    )

  it('are read point by point with the arrow keys', () => {
    const onChoose = vi.fn()
    draw({ onChoose })
    const chart = screen.getByRole('slider', { name: 'Cost by model' })
    fireEvent.keyDown(chart, { key: 'ArrowRight' })
    expect(chart.getAttribute('aria-valuetext')).toBe('Mon 2026: $2')
    expect(screen.getByText('Total').parentElement?.textContent).toContain('$2')
    fireEvent.keyDown(chart, { key: 'ArrowLeft' })
    fireEvent.keyDown(chart, { key: 'ArrowRight' })
    fireEvent.keyDown(chart, { key: 'ArrowRight' })
    expect(chart.getAttribute('aria-valuetext')).toBe('Wed 2026: $3')
    fireEvent.keyDown(chart, { key: 'ArrowRight' })
    fireEvent.keyDown(chart, { key: 'Enter' })
    expect(onChoose).toHaveBeenCalledWith(2)
    fireEvent.keyDown(chart, { key: 'Escape' })
    expect(screen.queryByText('Total')).toBeNull()
  })

  it('are narrowed down to a point, or to several that are held with the shift key', () => {
    const onBrush = vi.fn()
    draw({ onBrush })
    const chart = screen.getByRole('slider', { name: 'Cost by model' })
    const press = (...keys: readonly (string | { key: string; shiftKey: boolean })[]) => {
      for (const key of keys) fireEvent.keyDown(chart, typeof key === 'string' ? { key } : key)
    }
    const shift = (key: string) => ({ key, shiftKey: true })
    press('Enter')
    expect(onBrush).not.toHaveBeenCalled()
    press('ArrowRight', shift('ArrowRight'), shift('ArrowRight'))
    expect(chart.getAttribute('aria-valuetext')).toBe('Mon 2026 – Wed 2026: $5')
    press('Enter')
    expect(onBrush).toHaveBeenLastCalledWith(0, 2)
    press('ArrowLeft', 'Enter')
    expect(onBrush).toHaveBeenLastCalledWith(1, 1)
    press(shift('ArrowLeft'), 'Enter')
    expect(onBrush).toHaveBeenLastCalledWith(0, 1)
  })

  it('are narrowed down to what the mouse draws over, in either direction', () => {
    const onBrush = vi.fn()
    draw({ onBrush })
    const chart = screen.getByRole('slider', { name: 'Cost by model' })
    chart.getBoundingClientRect = () => new DOMRect(0, 0, 300, 80)
    fireEvent.pointerDown(chart, { clientX: 290, button: 0 })
    fireEvent.pointerMove(chart, { clientX: 150 })
    fireEvent.pointerUp(chart, { clientX: 150 })
    expect(onBrush).toHaveBeenLastCalledWith(1, 2)
    fireEvent.pointerUp(chart, { clientX: 10, button: 2 })
    expect(onBrush).toHaveBeenCalledTimes(1)
    fireEvent.pointerDown(chart, { clientX: 10, button: 0 })
    fireEvent.pointerUp(chart, { clientX: 10 })
    expect(onBrush).toHaveBeenLastCalledWith(0, 0)
  })

  it('draw one shape per series, however many points there are', () => {
    const { container } = draw()
    expect(container.querySelectorAll('svg path')).toHaveLength(2)
    expect(container.querySelector('svg path')?.getAttribute('d')?.match(/M/g)).toHaveLength(2)
  })

  it('are narrow where they are few', () => {
    const { container } = draw()
    const [, wide] = container.querySelector('svg')?.getAttribute('viewBox')?.split(' ').slice(1) ?? []
    const bar = container
      .querySelector('svg path')
      ?.getAttribute('d')
      ?.match(/h([\d.]+)v/)?.[1]
    expect(Number(bar) / Number(wide)).toBeCloseTo(1 / 16)
  })
})
