import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { role, type TableView } from '../../../lib/api/contract.ts'
import { storeUser } from '../../../lib/api/session.ts'
import { preferencesStore } from '../../../lib/preferences/preferences.ts'
import { useTableState } from '../../../lib/url/table-state.ts'
import { fakeFetch, refused } from '../../../test/fake-fetch.ts'
import { renderConsole } from '../../../test/render-console.tsx'
import type { Column } from '../columns/column.ts'
import { DataTable } from '../data-table.tsx'

const columns: Column<{ id: number }>[] = [
  { id: 'name', header: '名称', cell: () => 'a' },
  { id: 'cost', header: '费用', cell: () => 'b' },
]
const query = {
  data: { items: [{ id: 1 }], total: 1 },
  isPending: false,
  isPlaceholderData: false,
  error: null,
  refetch: vi.fn(),
}
const builtIn = [{ id: 'errors', name: '错误', search: { type: '5', range: '24h' } }]
const draw = (path = '/') => {
  const Screen = () => (
    <DataTable
      title="测试表"
      columns={columns}
      query={query}
      state={useTableState({ name: 'test', filters: ['type', 'range', 'model'], defaults: { range: '3d' } })}
      rowId={(row) => row.id}
      rowName={() => 'a'}
      empty={{ title: '空' }}
      views={builtIn}
    />
  )
  return renderConsole(<Screen />, path)
}
let id = 500
const signIn = (userRole: number = role.user): void => {
  id += 1
  storeUser({ id, username: 'eve', display_name: '', role: userRole, status: 1, group: '' })
}
const openMenu = (name: RegExp | string = '视图') => userEvent.click(screen.getByRole('button', { name }))
const openDialog = async () => {
  await openMenu(/^视图/)
  await userEvent.click(await screen.findByRole('menuitem', { name: '保存与管理视图…' }))
  return within(await screen.findByRole('dialog', { name: '视图' }))
}
const view = (change: Partial<TableView> = {}): TableView => ({
  table: 'test',
  name: '我的',
  search: { type: '2' },
  ...change,
})
const address = (router: Awaited<ReturnType<typeof draw>>['router']) => router.state.location.searchStr

beforeEach(() => signIn())

describe('views', () => {
  it('show their filters and their order and nothing else, and say that they are shown', async () => {
    const { router } = await draw('/?model=gpt&sort=-cost&p=3')
    await openMenu()
    await userEvent.click(await screen.findByRole('menuitem', { name: '错误' }))
    await waitFor(() => expect(address(router)).toBe('?type=5&range=24h'))
    expect(await screen.findByRole('button', { name: '视图：错误' })).toBeTruthy()
  })

  it('are saved under a name with filters, order and columns; the same name replaces', async () => {
    const layout = { order: ['name', 'cost'], hidden: ['cost'], widths: {}, pins: {}, density: 'compact' as const }
    preferencesStore.change({ tables: { test: layout } })
    await draw('/?model=gpt&sort=-cost&range=1h')
    const dialog = await openDialog()
    await userEvent.type(dialog.getByRole('textbox', { name: '名称' }), ' 我的 ')
    await userEvent.click(dialog.getByRole('button', { name: '保存当前视图' }))
    const search = { model: 'gpt', sort: '-cost', range: '1h' }
    expect(Object.values(preferencesStore.get().all.views)).toEqual([{ table: 'test', name: '我的', search, layout }])
    await userEvent.type(dialog.getByRole('textbox', { name: '名称' }), '我的')
    await userEvent.click(dialog.getByRole('checkbox', { name: '包含列、宽度与行高' }))
    await userEvent.click(dialog.getByRole('button', { name: '保存当前视图' }))
    expect(Object.values(preferencesStore.get().all.views)).toEqual([{ table: 'test', name: '我的', search }])
    expect(dialog.queryByRole('checkbox', { name: /共享/ })).toBeNull()
  })

  it('bring their columns along and leave the person’s own ones as they are', async () => {
    const layout = { order: ['name', 'cost'], hidden: ['cost'], widths: {}, pins: {}, density: 'compact' as const }
    preferencesStore.change({ views: { v1: view({ layout }) } })
    await draw()
    await openMenu()
    await userEvent.click(await screen.findByRole('menuitem', { name: '我的' }))
    await waitFor(() => expect(screen.queryByRole('columnheader', { name: '费用' })).toBeNull())
    await openMenu(/^视图/)
    await userEvent.click(await screen.findByRole('menuitem', { name: '错误' }))
    await waitFor(() => expect(screen.getByRole('columnheader', { name: '费用' })).toBeTruthy())
    expect(preferencesStore.get().all.tables).toEqual({})
  })

  it('open by default where the address says nothing, and never where it does', async () => {
    preferencesStore.change({ views: { v1: view() }, default_views: { test: 'v1' } })
    const first = await draw()
    await waitFor(() => expect(address(first.router)).toBe('?type=2'))
    expect(first.router.history.length).toBe(1)
    first.unmount()
    for (const path of ['/?model=gpt', '/?request=7']) {
      const other = await draw(path)
      await screen.findByRole('table')
      expect(address(other.router)).toBe(path.slice(1))
      other.unmount()
    }
  })

  it('become the default one, and are deleted together with that', async () => {
    preferencesStore.change({ views: { v1: view() } })
    await draw()
    const dialog = await openDialog()
    await userEvent.click(dialog.getByRole('switch', { name: '打开页面时显示“我的”' }))
    expect(preferencesStore.get().all.default_views).toEqual({ test: 'v1' })
    await userEvent.click(dialog.getByRole('button', { name: '删除视图“我的”' }))
    expect(preferencesStore.get().all).toMatchObject({ views: {}, default_views: {} })
    expect(dialog.queryByRole('button', { name: /删除/ })).toBeNull()
  })

  it('of other tables stay there', async () => {
    preferencesStore.change({ views: { v1: view({ table: 'other' }) } })
    await draw()
    await openMenu()
    await screen.findByRole('menuitem', { name: '错误' })
    expect(screen.queryByRole('menuitem', { name: '我的' })).toBeNull()
  })
})

describe('shared views', () => {
  const nothing = { tables: {}, views: {}, default_views: {}, marks: {}, shared_views: {} }

  it('are saved and taken back by administrators, on the server', async () => {
    signIn(role.admin)
    let shared: Record<string, unknown> = {}
    const sent = fakeFetch({
      'PUT /api/view/shared': ({ body }) => {
        const { views } = body as { views: Record<string, unknown> }
        shared = Object.fromEntries(Object.entries(views).filter(([, view]) => view !== null))
        return undefined
      },
      'GET /api/user/self/preferences': () => ({ ...nothing, shared_views: shared }),
    })
    await draw('/?type=5')
    const dialog = await openDialog()
    await userEvent.type(dialog.getByRole('textbox', { name: '名称' }), '全站错误')
    await userEvent.click(dialog.getByRole('checkbox', { name: '共享给所有能打开此页面的人' }))
    await userEvent.click(dialog.getByRole('button', { name: '保存当前视图' }))
    await userEvent.click(await dialog.findByRole('button', { name: '取消共享并删除“全站错误”' }))
    await waitFor(() => expect(preferencesStore.get().all.shared_views).toEqual({}))
    const bodies = sent.filter(({ method }) => method === 'PUT').map(({ body }) => body)
    const [saved] = Object.values((bodies[0] as { views: Record<string, TableView> }).views)
    expect(saved).toMatchObject({ table: 'test', name: '全站错误', search: { type: '5' } })
    expect(Object.values((bodies[1] as { views: object }).views)).toEqual([null])
    expect(preferencesStore.get().all.views).toEqual({})
  })

  it('are used by others, who cannot delete them', async () => {
    preferencesStore.arrived({ ...nothing, shared_views: { s1: view({ name: '全站' }) } })
    const { router } = await draw()
    const dialog = await openDialog()
    expect(dialog.getByText('全站')).toBeTruthy()
    expect(dialog.queryByRole('button', { name: /全站/ })).toBeNull()
    await userEvent.keyboard('{Escape}')
    await openMenu()
    await userEvent.click(await screen.findByRole('menuitem', { name: '全站' }))
    await waitFor(() => expect(address(router)).toBe('?type=2'))
  })

  it('say why they could not be saved, and keep the name', async () => {
    signIn(role.admin)
    fakeFetch({ 'PUT /api/view/shared': () => refused('已满') })
    await draw('/?type=5')
    const dialog = await openDialog()
    await userEvent.type(dialog.getByRole('textbox', { name: '名称' }), '全站')
    await userEvent.click(dialog.getByRole('checkbox', { name: '共享给所有能打开此页面的人' }))
    await userEvent.click(dialog.getByRole('button', { name: '保存当前视图' }))
    expect(await screen.findByText('已满')).toBeTruthy()
    expect(dialog.getByRole('textbox', { name: '名称' })).toHaveProperty('value', '全站')
  })
})
