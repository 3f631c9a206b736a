import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { useTableState } from '../../../lib/url/table-state.ts'
import { renderConsole } from '../../../test/render-console.tsx'
import type { Column } from '../columns/column.ts'
import { DataTable } from '../data-table.tsx'

interface Row {
  id: number
  name: string
}
const thirty: readonly Row[] = Array.from({ length: 30 }, (_, index) => ({ id: index, name: `row ${index}` }))

/** How often the cells of each row were drawn. */
const drawn = new Map<number, number>()
const columns: readonly Column<Row>[] = [
  {
    id: 'name',
    header: '名称',
    cell: (row) => {
      drawn.set(row.id, (drawn.get(row.id) ?? 0) + 1)
      return row.name
    },
  },
]
const rename = vi.fn()

/** The screen makes its functions anew whenever it is drawn, as all screens do. */
const Screen = ({ rows }: { rows: readonly Row[] }) => {
  const state = useTableState({ name: 'test', filters: [] })
  return (
    <DataTable
      title="测试表"
      columns={columns}
      query={{
        data: { items: rows, total: 500 },
        isPending: false,
        isPlaceholderData: false,
        error: null,
        refetch: () => undefined,
      }}
      state={state}
      rowId={(row) => row.id}
      rowName={(row) => row.name}
      onOpen={() => undefined}
      rowActions={(row) => [{ label: '改名', onClick: () => rename(row.name) }]}
      bulkActions={[{ label: '删除', onClick: () => undefined }]}
      empty={{ title: '没有' }}
    />
  )
}

let show: (rows: readonly Row[]) => void
let phone = false

const draw = async (): Promise<void> => {
  const Changing = () => {
    const [rows, setRows] = useState(thirty)
    show = (next) => act(() => setRows(next))
    return <Screen rows={rows} />
  }
  await renderConsole(<Changing />)
  expect(drawn.size).toBe(30)
  drawn.clear()
}

describe.each(['table', 'cards'] as const)('thirty rows as %s', (look) => {
  beforeEach(() => {
    phone = look === 'cards'
    drawn.clear()
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: phone && query.includes('max-width'),
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }))
  })

  it('draws no cell when the keyboard moves to the next row', async () => {
    await draw()
    await userEvent.keyboard('jjjk')
    if (look === 'table') expect(document.activeElement?.textContent).toContain('row 1')
    expect([...drawn.keys()]).toEqual([])
  })

  it('draws no cell when a row is selected, nor when its menu opens', async () => {
    await draw()
    await userEvent.click(screen.getByRole('checkbox', { name: '选择 row 7' }))
    expect(screen.getByText('已选 1 项')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'row 7 的操作' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: '改名' }))
    expect(rename).toHaveBeenLastCalledWith('row 7')
    expect([...drawn.keys()]).toEqual([])
  })

  it('draws one row when an answer brings news of one, and the new one when others move down', async () => {
    await draw()
    show(thirty.map((row) => (row.id === 4 ? { id: 4, name: 'renamed' } : { ...row })))
    expect([...drawn]).toEqual([[4, 1]])
    expect(screen.getByText('renamed')).toBeTruthy()
    drawn.clear()
    show([{ id: 1000, name: 'the newest' }, ...thirty.slice(0, 4).map((row) => ({ ...row }))])
    expect([...drawn.keys()]).toEqual([1000])
    await userEvent.click(screen.getByRole('button', { name: 'row 2 的操作' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: '改名' }))
    expect(rename).toHaveBeenLastCalledWith('row 2')
  })
})
