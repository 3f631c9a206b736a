import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { renderConsole } from '../test/render-console.tsx'
import { useStatusChange } from './status-change.ts'

const Row = ({ status, sent }: { status: number; sent: string[] }) => {
  const { run } = useStatusChange(async (id, next) => sent.push(`${id}: ${next}`))
  return (
    <button type="button" onClick={() => void run({ id: 7, name: 'Main', status }, status === 1 ? 2 : 1)}>
      change
    </button>
  )
}

const press = async (name: string): Promise<void> => userEvent.click(await screen.findByRole('button', { name }))

it('says which row was disabled, and sets it back', async () => {
  const sent: string[] = []
  await renderConsole(<Row status={1} sent={sent} />)
  await press('change')
  expect(await screen.findByText('已禁用“Main”')).toBeTruthy()
  await press('撤销')
  expect(await screen.findByText('已启用“Main”')).toBeTruthy()
  expect(sent).toEqual(['7: 2', '7: 1'])
})

it('offers nothing where only the server sets the earlier status', async () => {
  const sent: string[] = []
  await renderConsole(<Row status={3} sent={sent} />)
  await press('change')
  expect(await screen.findByText('已启用“Main”')).toBeTruthy()
  expect(screen.queryByRole('button', { name: '撤销' })).toBeNull()
  expect(sent).toEqual(['7: 1'])
})
