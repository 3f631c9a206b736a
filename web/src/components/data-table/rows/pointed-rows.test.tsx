import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useTableState } from '../../../lib/url/table-state.ts'
import { renderConsole } from '../../../test/render-console.tsx'
import { DataTable } from '../data-table.tsx'

const rows = [1, 2, 3].map((id) => ({ id, name: `row ${id}` }))
const onPoint = vi.fn()

const Screen = () => (
  <DataTable
    title="测试表"
    columns={[{ id: 'name', header: '名称', cell: (row: (typeof rows)[number]) => row.name }]}
    query={{
      data: { items: rows, total: 3 },
      isPending: false,
      isPlaceholderData: false,
      error: null,
      refetch: () => undefined,
    }}
    state={useTableState({ name: 'test', filters: [] })}
    rowId={(row) => row.id}
    rowName={(row) => row.name}
    onOpen={() => undefined}
    onPoint={({ id }) => onPoint(id)}
    empty={{ title: '没有' }}
  />
)

const rowOf = (id: number): HTMLElement => screen.getByRole('row', { name: `row ${id}` })
const after = (ms: number): void =>
  act(() => {
    vi.advanceTimersByTime(ms)
  })

/** Browsers show the focus that the keyboard moved; jsdom knows little of it. */
const showsFocus = (visible: boolean): void => {
  const { matches } = Element.prototype
  vi.spyOn(Element.prototype, 'matches').mockImplementation(function (this: Element, selector: string) {
    return selector === ':focus-visible' ? visible : matches.call(this, selector)
  })
}

describe('a row that is pointed at', () => {
  beforeEach(async () => {
    onPoint.mockClear()
    await renderConsole(<Screen />)
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  it('is reported once the pointer has stayed for a moment', () => {
    fireEvent.pointerEnter(rowOf(2), { pointerType: 'mouse' })
    after(79)
    expect(onPoint).not.toHaveBeenCalled()
    after(1)
    expect(onPoint).toHaveBeenCalledExactlyOnceWith(2)
  })

  it('is not reported when the pointer only passes', () => {
    fireEvent.pointerEnter(rowOf(1), { pointerType: 'mouse' })
    after(50)
    fireEvent.pointerLeave(rowOf(1))
    fireEvent.pointerEnter(rowOf(2), { pointerType: 'mouse' })
    after(50)
    fireEvent.pointerLeave(rowOf(2))
    after(1000)
    expect(onPoint).not.toHaveBeenCalled()
  })

  it('is not reported when a finger lies on it', () => {
    fireEvent.pointerEnter(rowOf(1), { pointerType: 'touch' })
    after(1000)
    expect(onPoint).not.toHaveBeenCalled()
  })

  it('is reported when the keyboard stays at it, not when it passes', () => {
    showsFocus(true)
    for (let times = 0; times < 3; times += 1) {
      fireEvent.keyDown(document.body, { key: 'j' })
      after(50)
    }
    after(1000)
    expect(onPoint).toHaveBeenCalledExactlyOnceWith(3)
  })

  it('is not reported when a closing sheet returns the focus after a click', () => {
    showsFocus(false)
    act(() => screen.getByRole('button', { name: 'row 2' }).focus())
    after(1000)
    expect(onPoint).not.toHaveBeenCalled()
  })
})
