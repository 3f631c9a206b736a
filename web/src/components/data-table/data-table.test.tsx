import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '../../lib/api/api.ts'
import { useTableState } from '../../lib/url/table-state.ts'
import { renderConsole } from '../../test/render-console.tsx'
import type { Column } from './columns/column.ts'
import { DataTable, type DataTableProps } from './data-table.tsx'
import { printRows } from './export/export-rows.ts'

interface Row {
  id: number
  name: string
  cost: number
}
const rows: Row[] = [1, 2, 3, 4].map((id) => ({ id, name: `row ${id}`, cost: id * 10 }))
const columns: Column<Row>[] = [
  { id: 'name', header: '名称', cell: (row) => row.name, value: (row) => row.name, sortable: true },
  { id: 'cost', header: '费用', cell: (row) => row.cost, value: (row) => row.cost, align: 'right' },
]
const answered = {
  data: { items: rows, total: 34 },
  isPending: false,
  isPlaceholderData: false,
  error: null,
  refetch: vi.fn(),
}

const draw = async (more: Partial<DataTableProps<Row, 'keyword' | 'status'>> = {}, path = '/') => {
  const onQuery = vi.fn()
  const Screen = () => {
    const state = useTableState({ name: 'test', filters: ['keyword', 'status'] })
    onQuery(state.query)
    return (
      <DataTable
        title="测试表"
        columns={columns}
        query={answered}
        state={state}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        search={{ filter: 'keyword', placeholder: '搜索名称' }}
        facets={[
          {
            kind: 'choice',
            id: 'status',
            label: '状态',
            options: [
              { value: '1', label: '启用' },
              { value: '2', label: '禁用' },
            ],
          },
        ]}
        empty={{ title: '还没有令牌', action: <button type="button">创建</button> }}
        {...more}
      />
    )
  }
  const view = await renderConsole(<Screen />, path)
  return { ...view, lastQuery: () => onQuery.mock.lastCall?.[0] as Record<string, unknown> }
}
const tableRows = () => within(screen.getByRole('table')).getAllByRole('row').slice(1)

describe('the table', () => {
  it('reads its page, order and filters from the address', async () => {
    const { lastQuery } = await draw({}, '/?p=2&size=20&sort=-name&status=1')
    expect(lastQuery()).toEqual({ p: 2, page_size: 20, sort: '-name', status: '1' })
    expect(screen.getByText('第 21–24 条，共 34 条')).toBeTruthy()
  })

  it('sorts by its header and writes the order into the address', async () => {
    const { lastQuery, router } = await draw({}, '/?p=2')
    await userEvent.click(screen.getByRole('button', { name: '名称' }))
    await waitFor(() => expect(lastQuery()).toEqual({ p: 1, page_size: 25, sort: '-name' }))
    expect(router.state.location.searchStr).toBe('?sort=-name')
    expect(screen.getByRole('columnheader', { name: '名称' }).getAttribute('aria-sort')).toBe('descending')
  })

  it('says that its rows are about to change while it still shows the last ones', async () => {
    const { container } = await draw({ query: { ...answered, isPlaceholderData: true } })
    expect(tableRows()).toHaveLength(4)
    expect(container.querySelector('[aria-busy=true]')?.contains(screen.getByRole('table'))).toBe(true)
  })

  it('removes a filter with one click on its chip', async () => {
    const { lastQuery } = await draw({}, '/?status=1,2')
    expect(screen.getByText('状态：启用、禁用')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: '移除筛选 状态' }))
    await waitFor(() => expect(lastQuery()).toEqual({ p: 1, page_size: 25 }))
  })

  it('turns to the page whose number is typed, and to the last one for any higher number', async () => {
    const { lastQuery } = await draw({}, '/?size=10')
    const field = screen.getByRole('textbox', { name: '页码' })
    await userEvent.clear(field)
    await userEvent.type(field, '3{Enter}')
    await waitFor(() => expect(lastQuery()).toMatchObject({ p: 3 }))
    await userEvent.clear(field)
    await userEvent.type(field, '500{Enter}')
    await waitFor(() => expect(lastQuery()).toMatchObject({ p: 4 }))
    await userEvent.clear(field)
    await userEvent.type(field, 'x{Enter}')
    expect(lastQuery()).toMatchObject({ p: 4 })
  })

  it('keeps what turns pages together where a line is too short for all of it', async () => {
    await draw({}, '/?size=10')
    const { parentElement } = screen.getByRole('button', { name: '上一页' })
    expect(parentElement).toBe(screen.getByRole('button', { name: '下一页' }).parentElement)
    expect(parentElement?.contains(screen.getByRole('combobox', { name: '每页条数' }))).toBe(false)
  })

  it('remembers the page size of each table', async () => {
    const { lastQuery } = await draw()
    await userEvent.selectOptions(screen.getByRole('combobox', { name: '每页条数' }), '50')
    await waitFor(() => expect(lastQuery()).toMatchObject({ page_size: 50 }))
    expect(localStorage.getItem('page-size:test')).toBe('50')
  })

  it('turns to the last page when its own has no rows any more, without a way back to the empty one', async () => {
    const Gone = () => {
      const state = useTableState({ name: 'test', filters: [] })
      const items = state.page > 4 ? [] : rows
      return (
        <DataTable
          title="测试表"
          columns={columns}
          query={{ ...answered, data: { items, total: 34 } }}
          state={state}
          rowId={(row) => row.id}
          rowName={(row) => row.name}
          empty={{ title: '还没有令牌' }}
        />
      )
    }
    const { router } = await renderConsole(<Gone />, '/?p=9&size=10')
    await waitFor(() => expect(router.state.location.searchStr).toBe('?p=4&size=10'))
    expect(tableRows()).toHaveLength(4)
    expect(screen.queryByText('还没有令牌')).toBeNull()
    expect(router.history.length).toBe(1)
  })

  it('says why it is empty: nothing yet, nothing matches, or failed with the request id', async () => {
    const empty = { ...answered, data: { items: [], total: 0 } }
    const first = await draw({ query: empty })
    expect(screen.getByText('还没有令牌')).toBeTruthy()
    first.unmount()
    const second = await draw({ query: empty }, '/?keyword=x')
    expect(screen.getByText('没有匹配的记录')).toBeTruthy()
    second.unmount()
    const error = new ApiError('坏了', { code: 'x', status: 500, requestId: 'req_9' })
    const refetch = vi.fn()
    await draw({ query: { ...answered, data: undefined, error, refetch } })
    expect(screen.getByText('请求 ID：req_9')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: '重试' }))
    expect(refetch).toHaveBeenCalledOnce()
  })

  it('offers the row’s actions in its menu and under the right button', async () => {
    const onClick = vi.fn()
    await draw({ rowActions: () => [{ label: '复制', onClick }] })
    await userEvent.click(screen.getByRole('button', { name: 'row 2 的操作' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: '复制' }))
    await userEvent.pointer({ keys: '[MouseRight]', target: screen.getByText('row 3') })
    await userEvent.click(await screen.findByRole('menuitem', { name: '复制' }))
    expect(onClick).toHaveBeenCalledTimes(2)
  })
})

describe('the keyboard', () => {
  it('moves with j and k, opens with Enter, selects with x, searches with /', async () => {
    const onOpen = vi.fn()
    const onBulk = vi.fn()
    await draw({ onOpen, bulkActions: [{ label: '禁用', onClick: onBulk }] })
    await userEvent.keyboard('jjjk{Enter}')
    expect(onOpen).toHaveBeenCalledExactlyOnceWith(rows[1])
    await userEvent.keyboard('x')
    expect(screen.getByText('已选 1 项')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: '禁用' }))
    expect(onBulk.mock.lastCall?.[0]).toEqual([rows[1]])
    await userEvent.keyboard('/')
    expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: '搜索名称' }))
  })

  it('ignores letters while the user types in a field', async () => {
    const onOpen = vi.fn()
    await draw({ onOpen })
    await userEvent.click(screen.getByRole('searchbox'))
    await userEvent.keyboard('jx')
    expect(tableRows().some((row) => row.hasAttribute('data-active'))).toBe(false)
  })
})

describe('selection', () => {
  it('takes everything between two clicks with shift', async () => {
    await draw({ bulkActions: [{ label: '禁用', onClick: vi.fn() }] })
    const user = userEvent.setup()
    await user.click(screen.getByRole('checkbox', { name: '选择 row 1' }))
    await user.keyboard('{Shift>}')
    await user.click(screen.getByRole('checkbox', { name: '选择 row 3' }))
    await user.keyboard('{/Shift}')
    expect(tableRows().map((row) => row.hasAttribute('data-selected'))).toEqual([true, true, true, false])
  })

  it('takes and clears the whole page from the header', async () => {
    await draw({ bulkActions: [{ label: '禁用', onClick: vi.fn() }] })
    await userEvent.click(screen.getByRole('checkbox', { name: '选择本页全部' }))
    expect(screen.getByText('已选 4 项')).toBeTruthy()
    await userEvent.click(screen.getByRole('checkbox', { name: '选择本页全部' }))
    expect(screen.queryByText('已选 4 项')).toBeNull()
  })
})

it('writes amounts in dollars beside the quota, durations in ms and the sums in the last line', () => {
  const used: Column<{ name: string; quota: number; ms: number }>[] = [
    { id: 'name', header: '名称', cell: ({ name }) => name, value: ({ name }) => name },
    { id: 'quota', header: '花费', cell: () => null, value: ({ quota }) => quota, money: true, sum: true },
    { id: 'took', header: '用时', cell: () => null, value: ({ ms }) => ms, unit: 'ms' },
  ]
  const calls = [
    { name: 'a', quota: 100, ms: 920 },
    { name: 'b', quota: 250_001, ms: 8400 },
  ]
  expect(printRows(calls, used, 'csv', { quotaPerUnit: 500_000, total: '合计' }).split('\r\n')).toEqual([
    '名称,花费,花费 (USD),用时 (ms)',
    'a,100,0.0002,920',
    'b,250001,0.500002,8400',
    '合计,250101,0.500202,',
  ])
})

it('writes rows as CSV that no spreadsheet runs, and as JSON', () => {
  const risky = [{ id: 1, name: '=1+1,"x"', cost: -5 }]
  expect(printRows(risky, columns, 'csv')).toBe('名称,费用\r\n"\'=1+1,""x""",-5')
  expect(JSON.parse(printRows(risky, columns, 'json'))).toEqual([{ name: '=1+1,"x"', cost: -5 }])
})
