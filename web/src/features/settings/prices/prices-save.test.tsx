import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { setLanguage } from '../../../lib/i18n.ts'
import { refused } from '../../../test/fake-fetch.ts'
import { field, fill, open, press, preview, save, saves } from './testing-prices.tsx'

beforeEach(() => {
  setLanguage('zh')
})

describe('saving prices', () => {
  it('first shows what would change and what last week would have cost', async () => {
    const { sent } = await open('/?prices=visual')
    await fill('输入价格 / 1M：own', '3')
    const confirm = await save()
    const preview = sent.find(({ path }) => path === '/api/option/price_preview')?.body as {
      changes: { key: string }[]
    }
    expect(preview.changes.map(({ key }) => key).toSorted()).toEqual([
      'AudioRatio',
      'CacheRatio',
      'CompletionRatio',
      'ModelRatio',
    ])
    expect(saves(sent)).toEqual([])
    const dialog = screen.getByRole('dialog', { name: /保存前预览/ })
    const traffic = within(dialog).getByRole('table', { name: '最近 7 天的调用' })
    expect(traffic.textContent).toContain('own1,200$1.00$1.00$1.50+50.0%')
    expect(dialog.textContent).toContain('1,203 次调用，按冻结的收据逐笔重新计算 · 其中 3 次没有收据，按原扣费计入')
    const changes = within(dialog).getByRole('table', { name: '价格变化（2 个模型）' })
    expect(changes.textContent).toContain('own$1.5→$3+100.0%$3→$6+100.0%$0.75→$1.5+100.0%')
    expect(changes.textContent).toContain('unset-1 没有渠道提供')
    expect(changes.textContent).toContain('无→$0.1')
    expect(dialog.textContent).toContain('vip×1→×0.8−20.0%')
    expect(dialog.textContent).toContain('web_search:grok*$5 / 千次→无')
    expect(dialog.textContent).toContain('flex×0.5→×0.4−20.0%')
    expect(within(dialog).queryByRole('alert')).toBeNull()
    await userEvent.click(confirm)
    await screen.findByText('保存成功')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('says when figures are estimated, and when nothing was logged', async () => {
    const sample = { ...preview.traffic, basis: 'sample' as const, calls: 400_000 }
    const { sent } = await open('/?prices=visual', {
      answers: { 'POST /api/option/price_preview': () => ({ ...preview, traffic: sample }) },
    })
    await fill('输入价格 / 1M：own', '3')
    await save()
    expect(screen.getByText(/调用过多（400,000 次），根据 1,200 张抽样收据估算/)).toBeTruthy()
    await press('取消')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(saves(sent)).toEqual([])
  })

  it('can still be done when the preview fails', async () => {
    const { sent } = await open('/?prices=visual', {
      answers: { 'POST /api/option/price_preview': () => refused('no database') },
    })
    await fill('输入价格 / 1M：own', '3')
    await press('保存：模型价格')
    expect(await screen.findByText('no database')).toBeTruthy()
    await press('仍然保存')
    await screen.findByText('保存成功')
    expect(saves(sent)).toHaveLength(1)
  })

  it('says so when nothing was changed, without a preview', async () => {
    const { sent } = await open('/?prices=visual')
    await field('输入价格 / 1M：own')
    await press('保存：模型价格')
    expect(await screen.findByText('你似乎并没有修改什么')).toBeTruthy()
    expect(sent.some(({ path }) => path === '/api/option/price_preview')).toBe(false)
  })

  it('moves between its tabs with the arrow keys', async () => {
    await open('/?prices=ratios')
    const first = screen.getByRole('tab', { name: '倍率（JSON）' })
    first.focus()
    await userEvent.keyboard('{ArrowRight}')
    expect(await screen.findByLabelText('输入价格 / 1M：own')).toBeTruthy()
    expect(screen.getByRole('tab', { name: '价格编辑' }).getAttribute('aria-selected')).toBe('true')
  })
})
