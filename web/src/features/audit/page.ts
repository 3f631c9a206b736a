import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const auditPage = {
  path: '/audit',
  access: 'admin',
  area: 'audit',
  title: { zh: '操作记录', en: 'Audit log' },
  sidebar: { group: 'groupSite', position: 4, icon: 'history', shortcut: 'a' },
  keywords: 'changes who did events activity 操作记录',
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.AuditScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
