import { screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { SiteImportReport } from '#web/lib/api/contract.ts'
import { type ConsoleLanguage, loadLanguage, setLanguage } from '#web/lib/i18n.ts'
import { renderConsole } from '#web/test/render-console.tsx'
import { importNotes } from '../contract/import-notes.ts'
import { ImportReport } from './report.tsx'

const names = Array.from({ length: 20 }, (_, index) => `model-${index + 1}`)

const report: SiteImportReport = {
  product: 'new-api',
  site: 'new-api',
  dry_run: true,
  counts: [],
  sums: [],
  notes: [
    { code: 'price_by_list', count: 1204, examples: names },
    { code: 'user_renamed', count: 1, examples: ['alice → alice-2'] },
  ],
}

afterEach(() => setLanguage('zh'))

const notesIn = async (language: ConsoleLanguage): Promise<string[]> => {
  await loadLanguage(language)
  setLanguage(language)
  await renderConsole(<ImportReport report={report} />, '/site-import')
  return screen.getAllByRole('listitem').map((item) => item.textContent.replaceAll(/[\u00a0\u202f]/g, ' '))
}

it('says each note in the reader’s language, with how many there are and the first of them', async () => {
  const [prices, renamed] = await notesIn('fr')
  expect(prices).toMatch(/^Modèles sans prix enregistré .+; à vérifier\. \(1,204\)model-1, /)
  expect(prices).toMatch(/model-20, …$/)
  expect(renamed).toBe('Noms d’utilisateur déjà pris, utilisateurs renommés (1)alice → alice-2')
})

it('is in traditional Chinese for its readers, not in the source', async () => {
  const [, renamed] = await notesIn('zh-TW')
  expect(renamed).toBe('使用者名稱已被占用，已改名匯入 (1)alice → alice-2')
  expect(renamed).not.toContain(importNotes.user_renamed.zh)
})

it('says of a dry run what is to be moved, for nothing has been', async () => {
  await loadLanguage('en')
  setLanguage('en')
  const counts = [{ kind: 'user', found: 2, carried: 2, known: 0, left: 0 }] as const
  await renderConsole(<ImportReport report={{ ...report, counts: [...counts] }} />, '/site-import')
  expect(screen.getAllByRole('columnheader').map((cell) => cell.textContent)).toContain('To import')
})
