import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { useTableState } from '../../../lib/url/table-state.ts'
import { renderConsole } from '../../../test/render-console.tsx'
import type { BulkAction, Column, Facet } from '../columns/column.ts'
import { DataTable } from '../data-table.tsx'
import type { ReadRows } from '../export/read-all.ts'

interface Row {
  id: number
  name: string
  status: string
}
const rows: Row[] = [
  { id: 1, name: 'first', status: '1' },
  { id: 2, name: 'second', status: '2' },
]
const columns: Column<Row>[] = [
  {
    id: 'name',
    header: '名称',
    cell: (row) => row.name,
    value: (row) => row.name,
    filters: (row) => [{ facet: 'name', value: row.name }],
  },
  {
    id: 'status',
    header: '状态',
    cell: (row) => row.status,
    filters: (row) => [{ facet: 'status', value: row.status }],
  },
  { id: 'cost', header: '费用', cell: () => 'free' },
]
const facets: Facet<'status' | 'name'>[] = [
  {
    kind: 'choice',
    id: 'status',
    label: '状态',
    not: true,
    options: [
      { value: '1', label: '启用' },
      { value: '2', label: '禁用' },
    ],
  },
  { kind: 'text', id: 'name', label: '名称', not: true },
]

interface DrawOptions {
  bulkActions?: readonly BulkAction<Row>[]
  total?: number
  readRows?: ReadRows<Row>
}

const draw = async (path = '/', more: DrawOptions = {}) => {
  const Screen = () => {
    const state = useTableState({ name: 'test', filters: ['status', 'name'] })
    return (
      <DataTable
        title="测试表"
        columns={columns}
        query={{
          data: { items: rows, total: more.total ?? 2, total_capped: more.total === 10_000 },
          isPending: false,
          isPlaceholderData: false,
          error: null,
          refetch: vi.fn(),
        }}
        state={state}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        facets={facets}
        rowActions={() => [
          { label: '复制', onClick: vi.fn() },
          { label: '删除', onClick: vi.fn(), danger: true },
        ]}
        empty={{ title: '空' }}
        {...(more.bulkActions ? { bulkActions: more.bulkActions } : {})}
        {...(more.readRows ? { readRows: more.readRows } : {})}
      />
    )
  }
  const view = await renderConsole(<Screen />, path)
  return { address: () => decodeURIComponent(view.router.state.location.searchStr) }
}
const items = () => screen.getAllByRole('menuitem').map(({ textContent }) => textContent)

it('says what is not, and forgets that with the filter', async () => {
  const { address } = await draw('/?status=1,2&not=status&name=x')
  expect(screen.getByText('状态 不是：启用、禁用')).toBeTruthy()
  expect(screen.getByText('名称：x')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '名称：x' }))
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: '名称的条件' }), '不包含')
  await waitFor(() => expect(address()).toBe('?status=1,2&not=status,name&name=x'))
  expect(screen.getByText('名称 不含：x')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '移除筛选 状态' }))
  await waitFor(() => expect(address()).toBe('?not=name&name=x'))
  await userEvent.click(screen.getByRole('button', { name: '清除筛选' }))
  await waitFor(() => expect(address()).toBe(''))
})

it('offers the value of the cell under the right button, and what is not', async () => {
  const { address } = await draw()
  const cell = screen.getByRole('cell', { name: '2' })
  await userEvent.pointer({ keys: '[MouseRight]', target: cell })
  await screen.findByRole('menuitem', { name: '筛选 状态：禁用' })
  expect(items()).toEqual(['筛选 状态：禁用', '排除 状态：禁用', '复制', '按此行的值筛选…', '删除'])
  await userEvent.click(screen.getByRole('menuitem', { name: '排除 状态：禁用' }))
  await waitFor(() => expect(address()).toBe('?status=2&not=status'))
  await userEvent.pointer({ keys: '[MouseRight]', target: screen.getByRole('cell', { name: '1' }) })
  await userEvent.click(await screen.findByRole('menuitem', { name: '排除 状态：启用' }))
  await waitFor(() => expect(address()).toBe('?status=2,1&not=status'))
  await userEvent.pointer({ keys: '[MouseRight]', target: screen.getByRole('cell', { name: '1' }) })
  await userEvent.click(await screen.findByRole('menuitem', { name: '筛选 状态：启用' }))
  await waitFor(() => expect(address()).toBe('?status=1'))
  const [other] = screen.getAllByRole('cell', { name: 'free' })
  if (!other) throw new Error('no cell')
  await userEvent.pointer({ keys: '[MouseRight]', target: other })
  await waitFor(() => expect(items()).toEqual(['复制', '按此行的值筛选…', '删除']))
})

it('leads to the values of a row by its menu, without a mouse', async () => {
  const { address } = await draw()
  screen.getByRole('button', { name: 'second 的操作' }).focus()
  await userEvent.keyboard('{Enter}')
  await userEvent.click(await screen.findByRole('menuitem', { name: '按此行的值筛选…' }))
  const dialog = await screen.findByRole('dialog', { name: '按「second」的值筛选' })
  await userEvent.click(within(dialog).getByRole('button', { name: '排除 名称：second' }))
  await waitFor(() => expect(address()).toBe('?name=second&not=name'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it('offers everything that matches once the page is selected, as long as nothing changes', async () => {
  const onMatching = vi.fn()
  await draw('/?status=1', {
    total: 10_000,
    bulkActions: [
      { label: '禁用', onClick: vi.fn(), onMatching },
      { label: '测试', onClick: vi.fn() },
    ],
  })
  await userEvent.click(screen.getByRole('checkbox', { name: '选择 first' }))
  expect(screen.queryByRole('button', { name: /符合条件/ })).toBeNull()
  await userEvent.click(screen.getByRole('checkbox', { name: '选择 second' }))
  await userEvent.click(screen.getByRole('button', { name: '选择匹配的全部 10,000+ 条' }))
  expect(screen.queryByRole('button', { name: '测试' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '禁用' }))
  expect(onMatching.mock.lastCall?.[0]).toEqual({ filter: { status: '1' }, count: 10_000, capped: true })
  await userEvent.click(screen.getByRole('checkbox', { name: '选择 first' }))
  await userEvent.click(screen.getByRole('checkbox', { name: '选择 first' }))
  expect(screen.getByRole('toolbar', { name: '已选 2 项' })).toBeTruthy()
})

it('offers nothing more where the page holds all of it', async () => {
  await draw('/', { bulkActions: [{ label: '禁用', onClick: vi.fn(), onMatching: vi.fn() }] })
  await userEvent.click(screen.getByRole('checkbox', { name: '选择本页全部' }))
  expect(screen.queryByRole('button', { name: /符合条件/ })).toBeNull()
})

it('exports the rows that were picked, and everything that matches', async () => {
  const saved: Blob[] = []
  Object.assign(URL, { createObjectURL: (file: Blob) => `blob:${saved.push(file)}`, revokeObjectURL: () => undefined })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  const all = [...rows, { id: 3, name: 'third', status: '1' }]
  await draw('/', {
    total: 3,
    bulkActions: [{ label: '禁用', onClick: vi.fn(), onMatching: vi.fn() }],
    readRows: async () => ({ rows: all, capped: false }),
  })
  const exportAs = async (format: string): Promise<void> => {
    const bar = screen.getByRole('toolbar')
    await userEvent.click(within(bar).getByRole('button', { name: '导出' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: `导出为 ${format}` }))
  }
  const text = (): Promise<string> =>
    new Promise((resolve) => {
      const reader = new FileReader()
      reader.onload = () => resolve(String(reader.result))
      reader.readAsText(saved.at(-1) ?? new Blob())
    })
  await userEvent.click(screen.getByRole('checkbox', { name: '选择 second' }))
  await exportAs('CSV')
  await screen.findByText('已导出 1 条')
  expect((await text()).split('\r\n').slice(1)).toEqual(['second'])
  await userEvent.click(screen.getByRole('checkbox', { name: '选择 first' }))
  await userEvent.click(screen.getByRole('button', { name: '选择匹配的全部 3 条' }))
  await exportAs('JSON')
  await screen.findByText('已导出 3 条')
  expect(JSON.parse(await text())).toEqual(all.map(({ name }) => ({ name })))
})
