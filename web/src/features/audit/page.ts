import type { LoadedPage, Page } from '../../components/page.ts'

export const auditPage = {
  path: '/audit',
  access: 'admin',
  title: { zh: '操作记录', en: 'Audit log' },
  sidebar: { group: 'groupAdmin', position: 6, icon: 'history', shortcut: 'a' },
  load: (): LoadedPage => import('./screen.tsx').then(({ AuditScreen: Screen, firstRead }) => ({ Screen, firstRead })),
} as const satisfies Page
