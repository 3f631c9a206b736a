import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { ApiError, unreached } from '../../lib/api/api.ts'
import { connectionStore } from '../../lib/api/connection.ts'
import { ReadOnlyPage } from '../../lib/api/staff.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { FormDrawer } from './form-drawer.tsx'

const draw = async (onSubmit: (values: { name: string }) => Promise<unknown> = async () => undefined) => {
  const onClose = vi.fn()
  const Screen = () => {
    const form = useForm({
      initialValues: { name: 'old' },
      validate: { name: (name) => (name === '' ? '请输入名称' : null) },
    })
    return (
      <FormDrawer title="编辑令牌" form={form} onSubmit={onSubmit} onClose={onClose}>
        <TextInput label="名称" {...form.getInputProps('name')} />
      </FormDrawer>
    )
  }
  const view = await renderConsole(<Screen />)
  return { ...view, onClose }
}
const name = () => screen.getByRole('textbox', { name: '名称' })
const press = (label: string) => userEvent.click(screen.getByRole('button', { name: label }))

describe('the form', () => {
  it('closes at once when nothing was changed', async () => {
    const { onClose } = await draw()
    await press('取消')
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('asks before edits are lost, and keeps them when wished', async () => {
    const { onClose } = await draw()
    await userEvent.type(name(), '!')
    await press('取消')
    expect(onClose).not.toHaveBeenCalled()
    await press('继续编辑')
    expect((name() as HTMLInputElement).value).toBe('old!')
    await press('关闭')
    await press('放弃修改')
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('holds back a navigation while edits are unsaved', async () => {
    const { router } = await draw()
    await userEvent.type(name(), '!')
    void router.navigate({ to: '/', search: { p: '2' } } as never)
    await screen.findByRole('button', { name: '放弃修改' })
    expect(router.state.location.searchStr).toBe('')
    await press('放弃修改')
    await waitFor(() => expect(router.state.location.searchStr).toBe('?p=2'))
  })

  it('saves with Ctrl+Enter and closes', async () => {
    const onSubmit = vi.fn(async () => undefined)
    const { onClose } = await draw(onSubmit)
    await userEvent.type(name(), '!{Control>}{Enter}{/Control}')
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    expect(onSubmit).toHaveBeenCalledExactlyOnceWith({ name: 'old!' })
  })

  it('shows the server’s refusal and keeps what was typed', async () => {
    const { onClose } = await draw(() =>
      Promise.reject(new ApiError('令牌名称过长', { code: 'token_name_too_long', status: 200, requestId: 'req_5' })),
    )
    await press('保存')
    expect((await screen.findByText(/令牌名称过长/)).closest('[role=alert]')?.textContent).toContain('req_5')
    expect(onClose).not.toHaveBeenCalled()
  })

  it('says when the server that was not reached is back', async () => {
    await draw(() => {
      connectionStore.set(false)
      return Promise.reject(unreached())
    })
    await press('保存')
    expect(await screen.findByRole('alert')).toBeTruthy()
    act(() => connectionStore.set(true))
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.getByText('已重新连接到服务器，请再试一次')).toBeTruthy()
  })

  it('shows its fields, and saves nothing, on a page that may only be looked at', async () => {
    const onSubmit = vi.fn(async () => undefined)
    const Screen = () => {
      const form = useForm({ initialValues: { name: 'old' } })
      return (
        <ReadOnlyPage value>
          <FormDrawer
            title="编辑令牌"
            form={form}
            onSubmit={onSubmit}
            onClose={() => {}}
            footer={<button type="button">删除</button>}
          >
            <TextInput label="名称" {...form.getInputProps('name')} />
          </FormDrawer>
        </ReadOnlyPage>
      )
    }
    await renderConsole(<Screen />)
    expect((name() as HTMLInputElement).value).toBe('old')
    expect(name().matches(':disabled')).toBe(true)
    for (const label of ['保存', '删除']) expect(screen.queryByRole('button', { name: label })).toBeNull()
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    expect(onSubmit).not.toHaveBeenCalled()
  })

  it('ties a field’s error to its input and goes there', async () => {
    await draw()
    await userEvent.clear(name())
    await press('保存')
    await waitFor(() => expect(document.activeElement).toBe(name()))
    expect(name().getAttribute('aria-invalid')).toBe('true')
    const described = name().getAttribute('aria-describedby')?.split(' ') ?? []
    expect(described.map((id) => document.getElementById(id)?.textContent)).toContain('请输入名称')
  })
})
