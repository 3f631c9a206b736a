import type { ConsolePage, LoadedPage } from '#web/components/page.ts'

export const batchesPage = {
  path: '/batches',
  access: 'signed_in',
  title: { zh: '批处理', en: 'Batches' },
  sidebar: { group: 'groupActivity', position: 5, icon: 'layers', tabOf: '/log' },
  keywords: 'batch bulk jsonl jobs 批量 任务',
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.BatchesScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
