import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { preferencesStore } from '../../../lib/preferences/preferences.ts'
import { useTableState } from '../../../lib/url/table-state.ts'
import { renderConsole } from '../../../test/render-console.tsx'
import { DataTable } from '../data-table.tsx'
import type { Column } from './column.ts'

interface Row {
  id: number
  name: string
}
const rows: Row[] = [{ id: 1, name: 'row 1' }]
const column = (id: string, header: string): Column<Row> => ({ id, header, cell: (row) => `${header} ${row.id}` })
const columns = [column('name', '名称'), column('cost', '费用'), column('model', '模型'), column('time', '时间')]
const query = {
  data: { items: rows, total: 1 },
  isPending: false,
  isPlaceholderData: false,
  error: null,
  refetch: vi.fn(),
}

const draw = (tableColumns: readonly Column<Row>[] = columns) => {
  const Screen = () => (
    <DataTable
      title="测试表"
      columns={tableColumns}
      query={query}
      state={useTableState({ name: 'test', filters: [] })}
      rowId={(row) => row.id}
      rowName={(row) => row.name}
      empty={{ title: '空' }}
    />
  )
  return renderConsole(<Screen />)
}
const headers = () => screen.getAllByRole('columnheader').map((header) => header.getAttribute('aria-label'))
const kept = () => preferencesStore.get().all.tables.test
const openManager = async () => {
  await userEvent.click(screen.getByRole('button', { name: '列' }))
  return within(await screen.findByRole('dialog', { name: '列' }))
}

beforeEach(() => preferencesStore.change({ tables: { test: null } }))

describe('the column manager', () => {
  it('shows every step in the table at once, and keeps it when it is done', async () => {
    await draw()
    const manager = await openManager()
    await userEvent.click(manager.getByRole('checkbox', { name: '费用' }))
    await userEvent.click(manager.getByRole('radio', { name: '紧凑' }))
    expect(headers()).toEqual(['名称', '模型', '时间'])
    expect(kept()).toBeUndefined()
    await userEvent.click(manager.getByRole('button', { name: '完成' }))
    expect(kept()).toMatchObject({ hidden: ['cost'], density: 'compact' })
    expect(headers()).toEqual(['名称', '模型', '时间'])
  })

  it.each([
    ['取消', async () => userEvent.click(screen.getByRole('button', { name: '取消' }))],
    ['Escape', async () => userEvent.keyboard('{Escape}')],
  ])('brings back what was there before: %s', async (_, leave) => {
    await draw()
    const manager = await openManager()
    await userEvent.click(manager.getByRole('checkbox', { name: '费用' }))
    await userEvent.click(manager.getByRole('button', { name: '将 时间 固定在左侧' }))
    expect(headers()).toEqual(['名称', '时间', '模型'])
    await leave()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(headers()).toEqual(['名称', '费用', '模型', '时间'])
    expect(kept()).toBeUndefined()
  })

  it('moves columns with the arrow keys on their handle, which keeps the focus, and says where they are', async () => {
    await draw()
    const manager = await openManager()
    const handle = manager.getByRole('button', { name: '移动 费用' })
    handle.focus()
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}')
    expect(headers()).toEqual(['名称', '模型', '时间', '费用'])
    expect(manager.getByText('费用：第 4 列，共 4 列')).toBeTruthy()
    expect(document.activeElement).toBe(handle)
    await userEvent.keyboard('{ArrowUp}')
    expect(headers()).toEqual(['名称', '模型', '费用', '时间'])
  })

  it('moves columns that are dragged, never before the first one', async () => {
    await draw()
    const manager = await openManager()
    const placed = () => {
      manager.getAllByRole('listitem').forEach((item, index) => {
        item.getBoundingClientRect = () => new DOMRect(0, index * 30, 200, 30)
      })
    }
    const handle = manager.getByRole('button', { name: '移动 时间' })
    placed()
    fireEvent.pointerDown(handle, { button: 0, pointerId: 1, clientY: 75 })
    fireEvent.pointerMove(handle, { pointerId: 1, clientY: 40 })
    expect(headers()).toEqual(['名称', '费用', '时间', '模型'])
    placed()
    fireEvent.pointerMove(handle, { pointerId: 1, clientY: -50 })
    fireEvent.pointerUp(handle, { pointerId: 1 })
    placed()
    fireEvent.pointerMove(handle, { pointerId: 1, clientY: 80 })
    expect(headers()).toEqual(['名称', '时间', '费用', '模型'])
  })

  it('pins columns to the sides and lets them go again', async () => {
    await draw()
    const manager = await openManager()
    await userEvent.click(manager.getByRole('button', { name: '将 模型 固定在左侧' }))
    await userEvent.click(manager.getByRole('button', { name: '将 费用 固定在右侧' }))
    expect(headers()).toEqual(['名称', '模型', '时间', '费用'])
    expect(screen.getByRole('columnheader', { name: '模型' }).dataset.pin).toBe('left')
    expect(screen.getByText('费用 1').closest('td')?.dataset.pin).toBe('right')
    await userEvent.click(manager.getByRole('button', { name: '将 费用 固定在右侧' }))
    expect(headers()).toEqual(['名称', '模型', '费用', '时间'])
  })

  it('resets to the default layout, and then stores none', async () => {
    preferencesStore.change({
      tables: {
        test: {
          order: ['name', 'time', 'model', 'cost'],
          hidden: ['model'],
          widths: { time: 300 },
          pins: { cost: 'left' },
          density: 'compact',
        },
      },
    })
    await draw()
    expect(headers()).toEqual(['名称', '费用', '时间'])
    const manager = await openManager()
    await userEvent.click(manager.getByRole('button', { name: '恢复默认' }))
    await userEvent.click(manager.getByRole('button', { name: '完成' }))
    expect(headers()).toEqual(['名称', '费用', '模型', '时间'])
    expect(kept()).toBeUndefined()
    expect(preferencesStore.get().unsent.tables).toEqual({ test: null })
  })

  it('does not change a stored layout by opening it', async () => {
    await draw()
    const manager = await openManager()
    const before = preferencesStore.get()
    await userEvent.click(manager.getByRole('button', { name: '完成' }))
    expect(preferencesStore.get()).toBe(before)
  })
})

describe('the edge of a header', () => {
  const edge = (name = '费用') => screen.getByRole('separator', { name: `${name}的列宽` })
  const widthInTable = () => screen.getByRole('table').style.getPropertyValue('--width-cost')

  it('makes its column wider and narrower with the arrow keys, down to a least width', async () => {
    await draw()
    screen.getByRole('columnheader', { name: '费用' }).getBoundingClientRect = () => new DOMRect(0, 0, 100, 30)
    edge().focus()
    await userEvent.keyboard('{ArrowRight}')
    expect(kept()?.widths).toEqual({ cost: 108 })
    expect(edge().getAttribute('aria-valuenow')).toBe('108')
    expect(widthInTable()).toBe('108px')
    await userEvent.keyboard('{Shift>}{ArrowLeft}{ArrowLeft}{/Shift}')
    expect(kept()?.widths).toEqual({ cost: 48 })
    await userEvent.keyboard('{Enter}')
    expect(kept()).toBeUndefined()
    expect(widthInTable()).toBe('')
  })

  it('is dragged: drawn at once, stored when it is released', async () => {
    await draw()
    screen.getByRole('columnheader', { name: '费用' }).getBoundingClientRect = () => new DOMRect(0, 0, 100, 30)
    fireEvent.pointerDown(edge(), { button: 0, pointerId: 1, clientX: 100 })
    fireEvent.pointerMove(edge(), { pointerId: 1, clientX: 160 })
    expect(widthInTable()).toBe('160px')
    expect(kept()).toBeUndefined()
    fireEvent.pointerUp(edge(), { pointerId: 1, clientX: 160 })
    expect(kept()?.widths).toEqual({ cost: 160 })
    fireEvent.pointerMove(edge(), { pointerId: 1, clientX: 300 })
    expect(kept()?.widths).toEqual({ cost: 160 })
  })

  it('gives the width back on a double click', async () => {
    preferencesStore.change({
      tables: { test: { order: [], hidden: [], widths: { cost: 400 }, pins: {}, density: 'comfortable' } },
    })
    await draw()
    expect(widthInTable()).toBe('400px')
    await userEvent.dblClick(edge())
    expect(kept()).toBeUndefined()
  })

  it('does not sort', async () => {
    const { router } = await draw(columns.map((entry) => ({ ...entry, sortable: true })))
    await userEvent.click(edge())
    expect(router.state.location.searchStr).toBe('')
  })
})
