import { screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { setLanguage } from '#web/lib/i18n.ts'
import { renderConsole } from '#web/test/render-console.tsx'
import { siteImportsPage } from './page.ts'

beforeEach(() => setLanguage('zh'))

it('leads those who begin to moving in', async () => {
  const Beside = await siteImportsPage.leadsFrom.firstSteps()
  await renderConsole(<Beside />, '/token')
  expect((await screen.findByRole('link', { name: '开始导入' })).getAttribute('href')).toBe('/site-import')
})
